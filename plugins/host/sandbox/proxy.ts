import type { Carrier, CarrierContext, InboundRequest } from '../../carrier/contract.ts'
import { checkedAnswer, isMember, type MemberName } from '../../carrier/members.ts'
import type { Call } from './call.ts'
import type { Declared } from './protocol.ts'

/**
 * A carrier whose functions are asked of its process: the data as it was declared, each function a call that takes the real context
 * wherever it stands. What comes back is checked before anybody sees it.
 */
export function proxyOf({ data, functions }: Declared, ask: (call: Call) => Promise<unknown>): Carrier {
  const slug = String(data.slug)
  const carrier: Record<string, unknown> = { ...data }
  for (const name of functions.filter(isMember)) {
    const [group, member] = name.split('.')
    const asked = asking(slug, name, ask, carrier as unknown as Carrier)
    if (member === undefined) carrier[name] = asked
    else carrier[group!] = { ...(carrier[group!] as object | undefined), [member]: asked }
  }
  return carrier as unknown as Carrier
}

function asking(slug: string, member: MemberName, ask: (call: Call) => Promise<unknown>, carrier: Carrier) {
  return async (...given: unknown[]): Promise<unknown> => {
    const inbound = member.startsWith('webhook.')
    const context = given[inbound ? 1 : 0] as CarrierContext
    const call: Call = {
      slug,
      member,
      context,
      args: inbound ? [] : given.slice(1),
      ...(inbound && { request: given[0] as InboundRequest }),
    }
    return checkedAnswer(member, await ask(call), carrier)
  }
}
