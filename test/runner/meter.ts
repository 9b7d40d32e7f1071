import { computedByBatch } from './usage.ts'

/** Time and computing of a file in milliseconds, from the start of its process's reading it to the start of the next file. */
export interface FileUse {
  readonly lastedMs: number
  /** Processor time of its process and of those that it started, without the work of the shared database. */
  readonly computedMs: number
}

const NAMES_FILE = /^(test\/\S+\.test\.ts):$/
const SAYS_END = /^Ran \d+ tests? across/

/** Measures the files of a batch by the lines that its process prints: each file is named before it is read. */
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
    /** Processor time of the whole batch in milliseconds, at its last line that named a file or the end. */
    computedMs: () => before,
    hear(line: string) {
      const next = NAMES_FILE.exec(line)?.[1]
      if (next || SAYS_END.test(line)) turnTo(next ?? '')
    },
  }
}
