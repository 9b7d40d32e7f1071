import type { Batch } from './batch.ts'
import { EXTERNAL, MEASURES, type Stage, WAITS } from './plan.ts'
import { startsSeveral } from './room.ts'
import { expectedMs, type Times } from './times.ts'

/** Lanes for batches that compute, and for those that mostly wait. */
export interface Lanes {
  readonly computing: number
  readonly waiting: number
}

/** Shortest expected time of a batch: below that, the start of its process costs more than the lanes gain. */
const SHORTEST_MS = 25_000
/** Rounds in which the lanes could run all that is left, if each batch were as long as the next one. */
const ROUNDS = 2

interface Timed {
  readonly file: string
  readonly ms: number
}

/**
 * Cuts the files of a stage into batches, each for one process: what a file needs of the server is read, compiled and warm there after the first one.
 * The first batches are long and have the slowest files, the last ones are short, so that all lanes end together. A file that measures is alone. On the
 * external services, files that start several servers are apart: they need more connections.
 */
export function cutBatches(stage: Stage, times: Times, lanes: Lanes): Batch[] {
  const timed = stage.files.map((file): Timed => ({ file, ms: expectedMs(times, stage.name, file) })).sort((a, b) => b.ms - a.ms)
  const isApart = (file: string) => stage.name === EXTERNAL && startsSeveral(file)
  const groups = Map.groupBy(timed, ({ file }) => (MEASURES.test(file) ? file : `${WAITS.test(file)} ${isApart(file)}`))
  return [...groups.values()].flatMap((group) =>
    cut(group, WAITS.test(group[0]!.file) ? lanes.waiting : lanes.computing).map((files) => ({
      stage,
      files: files.map(({ file }) => file),
      expectedMs: sum(files),
    })),
  )
}

const sum = (files: readonly Timed[]) => files.reduce((total, { ms }) => total + ms, 0)

function cut(files: readonly Timed[], lanes: number): Timed[][] {
  const batches: Timed[][] = []
  let left = sum(files)
  let batch: Timed[] = []
  for (const each of files) {
    const longest = Math.max(SHORTEST_MS, left / (ROUNDS * lanes))
    if (batch.length > 0 && sum(batch) + each.ms > longest) {
      batches.push(batch)
      left -= sum(batch)
      batch = []
    }
    batch.push(each)
  }
  return batch.length > 0 ? [...batches, batch] : batches
}
