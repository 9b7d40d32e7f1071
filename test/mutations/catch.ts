import { existsSync } from 'node:fs'
import { accept, listCases, type RigBase, type Suite } from '../../plugins/acceptance/accept.ts'
import type { Adapter, Awaitable } from '../../plugins/adapter.ts'
import { adaptersOf } from './plant.ts'

/** What an adapter is held to: the suite of its kind, and its other side. */
export interface Trial {
  readonly suite: Suite<Adapter, RigBase>
  readonly rigOf: (adapter: Adapter) => Awaitable<RigBase>
}

/** Both stand where every kind has them; a rig beside the tests, or in the adapter's folder, as a new one has it. */
export async function trialOf(kind: string, folder: string): Promise<Trial> {
  const own = `${adaptersOf(kind)}/${folder}/rig.ts`
  const { acceptance } = (await import(`../../plugins/${kind}/acceptance.ts`)) as { acceptance: Trial['suite'] }
  const { rig } = (await import(existsSync(own) ? own : `../adapters/${kind}/${folder}/rig.ts`)) as { rig: Trial['rigOf'] }
  return { suite: acceptance, rigOf: rig }
}

/** So many cases are run before it is looked whether one of them failed. */
const AT_ONCE = 12
/** Waits for an answer that does not come, so it is run when nothing else has caught the fault. */
const SLOW = /ignored|no.answer|nobody answers/

export interface Catch {
  readonly name: string
  readonly why: string
}

/** A case of the suite that an adapter fails; undefined where it passes all of them. What is `late` in the suite is looked for from its end. */
export async function caught({ suite, rigOf }: Trial, adapter: Adapter, { late }: { readonly late: boolean }): Promise<Catch | undefined> {
  const cases = (await listCases(suite, adapter, rigOf)).filter(({ skip }) => skip === undefined)
  const names = (late ? cases.toReversed() : cases).map(({ name }) => name).sort((a, b) => Number(SLOW.test(a)) - Number(SLOW.test(b)))
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = new Set(names.slice(at, at + AT_ONCE))
    const { results } = await accept(suite, adapter, rigOf, (name) => some.has(name))
    const failed = results.find(({ outcome }) => outcome === 'failed')
    if (failed) return { name: failed.name, why: failed.why ?? '' }
  }
  return undefined
}
