import { computedByBatch } from './usage.ts'

/** What a file took, from when its process began to read it until it began the next one. In milliseconds. */
export interface FileUse {
  readonly lastedMs: number
  /** Computed by its process and by those that it started. What the shared database did for it is not counted here. */
  readonly computedMs: number
}

const NAMES_FILE = /^(test\/\S+\.test\.ts):$/
const SAYS_END = /^Ran \d+ tests? across/

/** Measures the files of a batch by what its process says, line by line: it names each file before it reads it. */
export function meterFiles(pid: number) {
  const uses: Record<string, FileUse> = {}
  let [file, before, began] = ['', 0, performance.now()]

  function turnTo(next: string) {
    const [computed, at] = [computedByBatch(pid), performance.now()]
    if (file) uses[file] = { lastedMs: Math.round(at - began), computedMs: Math.max(0, computed - before) }
    ;[file, before, began] = [next, computed, at]
  }

  return {
    uses,
    /** What the whole batch computed when it last named a file, or said that it ended. */
    computedMs: () => before,
    hear(line: string) {
      const next = NAMES_FILE.exec(line)?.[1]
      if (next || SAYS_END.test(line)) turnTo(next ?? '')
    },
  }
}
