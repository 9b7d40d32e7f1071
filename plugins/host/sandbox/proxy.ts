import type { Adapter, AdapterContext, InboundRequest } from '../../adapter.ts'
import type { Kind } from '../../kind.ts'
import { kindOf } from '../check.ts'
import { checkResult } from '../check-result.ts'
import type { AdapterCall } from './call.ts'
import type { DeclaredAdapter } from './protocol.ts'

type Ask = (call: AdapterCall) => Promise<unknown>

/**
 * Creates an adapter whose functions run in its process: its declared data, and a proxy for each function that its kind knows. Results are
 * validated before they are returned.
 */
export function createProxy({ data, functions }: DeclaredAdapter, kinds: readonly Kind[], ask: Ask): object {
  const adapter: Record<string, unknown> = { ...data }
  const kind = kindOf(data, kinds)
  for (const name of functions) {
    const proxied = kind && proxyMember(kind, name, ask, adapter)
    const [group = '', inner] = name.split('.')
    if (proxied) adapter[group] = inner === undefined ? proxied : { ...Object(adapter[group]), [inner]: proxied }
  }
  return adapter
}

/** Creates the proxy of one function; undefined if the kind has no such member. */
function proxyMember(kind: Kind, name: string, ask: Ask, adapter: Record<string, unknown>) {
  const member = Object.hasOwn(kind.members, name) ? kind.members[name] : undefined
  const slug = String(adapter.slug)
  const callOf = (given: readonly unknown[]): Omit<AdapterCall, 'name' | 'member' | 'slug'> =>
    member?.inbound
      ? { context: given[1] as AdapterContext, args: [], request: given[0] as InboundRequest }
      : { context: given[0] as AdapterContext, args: given.slice(1) }
  if (member?.streams)
    return (...given: unknown[]) => parts((onPart) => ask({ slug, name, member, ...callOf(given), onPart }), check(kind, name, adapter))
  return (
    member &&
    (async (...given: unknown[]): Promise<unknown> => check(kind, name, adapter)(await ask({ slug, name, member, ...callOf(given) })))
  )
}

const check =
  (kind: Kind, name: string, { credentials }: Record<string, unknown>) =>
  (answer: unknown) =>
    checkResult(kind, name, answer, { credentials: credentials as Adapter['credentials'] })

/** Validates parts and yields them in their order; ends with the call. */
async function* parts(ask: (onPart: (part: unknown) => void) => Promise<unknown>, checked: (part: unknown) => Promise<unknown>) {
  const waiting: unknown[] = []
  let wake = Promise.withResolvers<void>()
  let isOver = false
  const call = ask((part) => {
    waiting.push(part)
    wake.resolve()
  }).finally(() => {
    isOver = true
    wake.resolve()
  })
  call.catch(() => {})
  while (!isOver || waiting.length > 0) {
    await wake.promise
    wake = Promise.withResolvers<void>()
    if (isOver) wake.resolve()
    for (const part of waiting.splice(0)) yield await checked(part)
  }
  await call
}
