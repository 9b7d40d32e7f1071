import type { Adapter, AdapterContext, InboundRequest } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { checkedAnswer } from '../answer.ts'
import { kindOf } from '../check.ts'
import type { Call } from './call.ts'
import type { Declared } from './protocol.ts'

type Ask = (call: Call) => Promise<unknown>

/**
 * An adapter whose functions are asked of its process: the data as it was declared, and of its functions those that its kind knows, each
 * a call that takes the real context wherever it stands. What comes back is checked before anybody sees it.
 */
export function proxyOf({ data, functions }: Declared, kinds: readonly Kind[], ask: Ask): object {
  const adapter: Record<string, unknown> = { ...data }
  const kind = kindOf(data, kinds)
  for (const name of functions) {
    const asked = kind && asking(kind, name, ask, adapter)
    const [group = '', inner] = name.split('.')
    if (asked) adapter[group] = inner === undefined ? asked : { ...Object(adapter[group]), [inner]: asked }
  }
  return adapter
}

/** Undefined where the kind knows no such member. */
function asking(kind: Kind, name: string, ask: Ask, adapter: Record<string, unknown>) {
  const member = Object.hasOwn(kind.members, name) ? kind.members[name] : undefined
  const slug = String(adapter.slug)
  const callOf = (given: readonly unknown[]): Omit<Call, 'name' | 'member' | 'slug'> =>
    member?.inbound
      ? { context: given[1] as AdapterContext, args: [], request: given[0] as InboundRequest }
      : { context: given[0] as AdapterContext, args: given.slice(1) }
  return (
    member &&
    (async (...given: unknown[]): Promise<unknown> =>
      checkedAnswer(kind, name, await ask({ slug, name, member, ...callOf(given) }), {
        credentials: adapter.credentials as Adapter['credentials'],
      }))
  )
}
