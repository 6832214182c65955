"""Memory snapshots as PyTorch writes them, of an allocator that knows what it did: a training run that
keeps parameters, makes activations and gradients, and may run out of memory."""
import pickle

MIB = 1 << 20


class History:
    """One device.  held: address -> (size, stack); truth: (us, bytes held) after each entry."""

    def __init__(self, capacity):
        self.capacity, self.entries, self.held, self.lives = capacity, [], {}, []
        self.at, self.next, self.reserved, self.truth = 1_700_000_000_000_000, 0x7F0000000000, 0, []
        self.begun, self.total = {}, 0

    def note(self, action, addr, size, frames, **more):
        self.at += 10
        self.entries.append({"action": action, "addr": addr, "size": size, "stream": 0, "time_us": self.at,
                             "frames": frames, **more})
        self.truth.append((self.at, self.total))

    def reserve(self, size):
        self.reserved += size
        self.note("segment_alloc", self.next, size, [])

    def alloc(self, size, frames):
        addr = self.next
        self.next += size
        self.held[addr] = (size, frames)
        self.total += size
        self.note("alloc", addr, size, frames)
        self.begun[addr] = self.at
        return addr

    def free(self, addr):
        size, frames = self.held.pop(addr)
        self.total -= size
        self.note("free_requested", addr, size, frames)
        self.lives.append((self.begun.pop(addr), self.at, size, frames))
        self.note("free_completed", addr, size, [])

    def oom(self, size, frames):
        self.note("oom", 0, size, frames, device_free=self.capacity - self.reserved)
        self.entries[-1].pop("addr")

    def segments(self):
        out, at = [], 0x7F0000000000
        blocks = [{"address": a, "size": s, "requested_size": s, "state": "active_allocated", "frames": f}
                  for a, (s, f) in sorted(self.held.items())]
        used = sum(b["size"] for b in blocks)
        blocks.append({"address": at, "size": self.reserved - used, "state": "inactive", "frames": []})
        out.append({"device": 0, "address": at, "total_size": self.reserved, "allocated_size": used,
                    "active_size": used, "requested_size": used, "stream": 0, "segment_type": "large",
                    "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": blocks})
        return out

    def write(self, path):
        with open(path, "wb") as out:
            pickle.dump({"segments": self.segments(), "device_traces": [self.entries],
                         "allocator_settings": {"expandable_segments": False}}, out)


def frame(name, file, line):
    return {"name": name, "filename": file, "line": line}


def training(layers=24, steps=4, capacity=14 << 10, fail=True, name="forward", small=8):
    """A transformer of so many layers; sizes in MiB.  In the last step a batch twice as long does not fit."""
    h = History(capacity * MIB)

    def stack(*frames):
        return [frame(*f) for f in reversed(frames)]

    main = ("main", "train.py", 12)
    h.reserve(capacity * MIB * 7 // 8)
    for k in range(layers):
        h.alloc(96 * MIB, stack(main, ("build", "model.py", 20 + k % 3), ("empty", "torch/nn/modules/linear.py", 9)))
    states = []
    for step in range(steps):
        grow = 2 if fail and step == steps - 1 else 1
        kept = []
        for k in range(layers):
            for j in range(small):
                kept.append(h.alloc((24 if j % 3 else 60) * MIB * grow * 4 // small,
                                    stack(main, ("step", "train.py", 40), (name, "model.py", 60 + j % 4))))
            h.free(h.alloc(128 * MIB, stack(main, ("step", "train.py", 40), ("attention", "model.py", 88))))
            if h.total + 512 * MIB > h.reserved:
                h.oom(4096 * MIB, stack(main, ("step", "train.py", 40), (name, "model.py", 66)))
                return h
        grads = []
        for k in reversed(range(layers)):
            for j in range(small):
                h.free(kept.pop())
            grads.append(h.alloc(96 * MIB, stack(main, ("step", "train.py", 44), ("backward", "train.py", 45))))
        for k in range(layers):
            if step == 0:
                states.append(h.alloc(192 * MIB, stack(main, ("step", "train.py", 50), ("adam", "optim.py", 30))))
        for g in grads:
            h.free(g)
    return h
