/** Parts of long calculations. Between two of them, whoever runs the calculations of a thread may let others go first. */
let betweenParts: () => void = () => {};

/** Sets what is called between two parts of every calculation of this thread. It must not change what they compute. */
export function onEndOfPart(call: () => void): void {
  betweenParts = call;
}

/** A calculation calls it often: at least several times a second. */
export function endPart(): void {
  betweenParts();
}
