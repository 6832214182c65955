import argparse
import torch

def main(lr=5e-5, step=0, loss=0.0):
    parser = argparse.ArgumentParser()
    parser.add_argument("--enable-profiling", action="store_true")
    parser.add_argument("--memory-log-steps", type=int, default=10)
    model = Model(hidden=768, dropout=0.1)
    loss=0.5
    print(f"step={step} loss={loss}")
