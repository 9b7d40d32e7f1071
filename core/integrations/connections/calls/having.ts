import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { type Offering, offers } from '../../../../plugins/kind.ts'

type Having<M extends keyof Carrier> = Offering<Carrier, { needs: readonly M[] }>

const has = <M extends keyof Carrier>(carrier: Carrier, needs: readonly M[]): carrier is Having<M> => offers(carrier, { needs })

/** The carrier, which was asked before for members that not all carriers have. Throws where it lacks one: that is a fault of ours. */
export function having<M extends keyof Carrier>(carrier: Carrier, ...members: M[]): Having<M> {
  if (has(carrier, members)) return carrier
  throw new Error(`The adapter ${carrier.slug} does not have all of ${members.join(', ')}.`)
}
