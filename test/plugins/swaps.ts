/** What became of the requests that were asked while something was swapped. */
export interface Swapped {
  readonly asked: number
  readonly failed: readonly string[]
  readonly perSecond: number
  /** Of each swap, from the change of the file until it was seen. */
  readonly takenMs: readonly number[]
}

const TICK_MS = 10

/** Asks at a steady pace, `perSecond`, whatever the answers do, while `swap` is done `times` over. `ask` resolves to what failed. */
export async function swapUnderLoad(
  times: number,
  perSecond: number,
  swap: (time: number) => Promise<void>,
  ask: (turn: number) => Promise<string | undefined>,
): Promise<Swapped> {
  const failed: string[] = []
  const takenMs: number[] = []
  const open = new Set<Promise<void>>()
  const began = performance.now()
  let asked = 0
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) / 1000) * perSecond; asked < due; asked += 1) {
      const one: Promise<void> = ask(asked)
        .catch(String)
        .then((failure) => {
          if (failure !== undefined) failed.push(failure)
          open.delete(one)
        })
      open.add(one)
    }
  }, TICK_MS)
  try {
    for (let time = 0; time < times; time += 1) {
      const from = performance.now()
      await swap(time)
      takenMs.push(performance.now() - from)
    }
  } finally {
    clearInterval(timer)
  }
  const seconds = (performance.now() - began) / 1000
  await Promise.all(open)
  return { asked, failed, perSecond: asked / seconds, takenMs }
}
