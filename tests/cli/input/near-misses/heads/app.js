const lr=0.1, step=3;
let loss=0.5;
export function update(step=1, loss=2) {
  return { step: step, loss: loss };
}
