import { existsSync } from 'node:fs'
import { accept, listCases, type RigBase, type Suite } from '../../plugins/acceptance/accept.ts'
import type { Adapter, Awaitable } from '../../plugins/adapter.ts'
import { adaptersOf } from './plant.ts'

/** The acceptance suite of a kind, and the rigs of its adapters. */
export interface Trial {
  readonly suite: Suite<Adapter, RigBase>
  readonly rigOf: (adapter: Adapter) => Awaitable<RigBase>
}

/** Loads the suite of a kind and the rig of an adapter, from the adapter's folder or from its tests. */
export async function trialOf(kind: string, folder: string): Promise<Trial> {
  const own = `${adaptersOf(kind)}/${folder}/rig.ts`
  const { acceptance } = (await import(`../../plugins/${kind}/acceptance.ts`)) as { acceptance: Trial['suite'] }
  const { rig } = (await import(existsSync(own) ? own : `../adapters/${kind}/${folder}/rig.ts`)) as { rig: Trial['rigOf'] }
  return { suite: acceptance, rigOf: rig }
}

/** Number of cases that run before the results are checked. */
const AT_ONCE = 12
/** Matches cases that wait for an answer that never comes. They run last. */
const SLOW = /ignored|no.answer|nobody answers/

export interface Catch {
  readonly name: string
  readonly why: string
}

/** Returns a case of the suite that an adapter fails, or undefined if it passes all. `late` runs the suite from its end. */
export async function findFailingCase(
  { suite, rigOf }: Trial,
  adapter: Adapter,
  { late }: { readonly late: boolean },
): Promise<Catch | undefined> {
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
