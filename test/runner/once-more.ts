import type { Batch, Failure, Result } from './batch.ts'
import { mayBeOvertaken } from './plan.ts'

/**
 * Runs files once more in which a test failed that waits for the clock or for events, when nothing else runs. The second result counts. A busy
 * machine fails such a test now and then; what is wrong fails again. What passed only then is named in the report.
 */
export async function onceMore(results: readonly Result[], run: (batches: readonly Batch[]) => Promise<Result[]>): Promise<Result[]> {
  const first = results.map((result) => ({ result, again: hung(result) ? [] : filesAgain(result) }))
  const batches = first.flatMap(({ result: { batch }, again }) => again.map((file) => ({ ...batch, files: [file], expectedMs: 0 })))
  const second = batches.length > 0 ? await run(batches) : []
  if (second.length !== batches.length) throw new Error('What failed at first was not run once more.')
  return [...first.map(({ result, again }) => without(result, again)), ...second.map((result) => named(result, results))]
}

/** A process that ended without saying how its tests went says nothing of what failed. */
const hung = ({ failures, failed }: Result) => failures.length !== failed

const filesAgain = ({ failures }: Result) => [...new Set(failures.map(({ file }) => file))].filter(mayBeOvertaken)

function without(result: Result, again: readonly string[]): Result {
  if (again.length === 0) return result
  const failures = result.failures.filter(({ file }) => !again.includes(file))
  return { ...result, failures, failed: failures.length, code: failures.length > 0 ? result.code : 0 }
}

/** A second run counts what failed at first; what passed at first is counted already. */
function named(second: Result, results: readonly Result[]): Result {
  const [file] = second.batch.files
  const before = results
    .filter(({ batch }) => batch.stage === second.batch.stage)
    .flatMap(({ failures }) => failures.filter((each) => each.file === file))
  const triedAgain = before.map(({ said }: Failure) => /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(said.split('\n').at(-1)!)?.[1] ?? file!)
  return { ...second, passed: Math.max(0, before.length - second.failed), skipped: 0, triedAgain: [...second.triedAgain, ...triedAgain] }
}
