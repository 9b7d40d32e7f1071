import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { type AdapterOffering, canServeOperation } from '../../../../plugins/kind.ts'

/** Carrier that has the named optional members. */
type Having<M extends keyof Carrier> = AdapterOffering<Carrier, { needs: readonly M[] }>

const hasMembers = <M extends keyof Carrier>(carrier: Carrier, needs: readonly M[]): carrier is Having<M> =>
  canServeOperation(carrier, { needs })

/** Returns the carrier, typed with members that the caller has checked for. Throws if it lacks one, which is a fault of the caller. */
export function requireMembers<M extends keyof Carrier>(carrier: Carrier, ...members: M[]): Having<M> {
  if (hasMembers(carrier, members)) return carrier
  throw new Error(`The adapter ${carrier.slug} does not have all of ${members.join(', ')}.`)
}
