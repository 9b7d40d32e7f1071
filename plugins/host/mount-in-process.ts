import { lazy } from '../../core/lib/lazy.ts'
import type { Adapter } from '../adapter.ts'
import { type Kind, memberOf } from '../kind.ts'
import type { Bundle } from './bundle.ts'
import { summarizeProblems } from './check.ts'
import type { OwnBundles } from './own-bundles.ts'
import { describeDefinition } from './sandbox/describe-definition.ts'
import type { DeclaredAdapter } from './sandbox/protocol.ts'
import { registerSourceMap } from './source-maps.ts'

/** Mounts a bundle in this process, with access to everything that the process can reach. */
export function mountInProcess(bundle: Bundle, kinds: readonly Kind[]): Adapter[] {
  registerSourceMap(bundle)
  let exported: unknown
  new Function('mount', bundle.code)((value: unknown) => {
    exported = value
  })
  const definitions: unknown[] = Array.isArray(exported) ? exported : [exported]
  const problems = summarizeProblems(definitions, kinds)
  if (problems) throw new Error(problems)
  return definitions as Adapter[]
}

/**
 * Mounts a bundle of built-in adapters in this process. The code of adapters that no store uses does not run: what they declare was kept
 * when it first ran, and it runs again at the first call of one of their functions.
 */
export function mountOwn(bundle: Bundle, kinds: readonly Kind[], bundles: OwnBundles): Adapter[] {
  const declared = bundles.declarationsOf(bundle)
  if (declared) {
    const load = lazy(() => mountInProcess(bundle, kinds))
    return declared.map((each, at) => createLazyAdapter(each, () => load()[at]!) as Adapter)
  }
  const adapters = mountInProcess(bundle, kinds)
  const found = adapters.map(describeDefinition)
  // What JSON would change cannot be kept; such an adapter is loaded at each start.
  if (Bun.deepEquals(JSON.parse(JSON.stringify(found)), found)) bundles.declare(bundle, found)
  return adapters
}

/** Creates an adapter from what it declares. Its functions load the code and call those of the same name. */
function createLazyAdapter({ data, functions }: DeclaredAdapter, load: () => Adapter): object {
  const adapter: Record<string, unknown> = { ...data }
  for (const name of functions) {
    const path = name.split('.')
    const [member = '', group] = path.toReversed()
    const call = (...given: unknown[]) => {
      const holder = group === undefined ? load() : memberOf(load(), group)
      return Reflect.apply(memberOf(load(), name) as (...all: unknown[]) => unknown, holder, given)
    }
    if (group === undefined) adapter[member] = call
    else adapter[group] = { ...Object(adapter[group]), [member]: call }
  }
  return adapter
}
