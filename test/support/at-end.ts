type Close = () => Promise<unknown>

const closers: Close[] = []

/** Closes something after the last test of this process. Imports nothing, so that a test of plain functions starts at once. */
export function closeAtEnd(close: Close) {
  closers.push(close)
}

/** Closes what was opened last first. */
export async function closeEverything() {
  for (const close of closers.splice(0).reverse()) await close()
}
