import type { Yalidine } from '../adapters/carrier/yalidine/simulator.ts'
import type { Api } from './api.ts'
import type { Carrier } from './carriers.ts'
import { type Import, type ImportedOrder, rehearse } from './orders.ts'
import { allParcels, outcomesKnown, type RowAnswer, sendAgain, sendMany } from './sending.ts'
import type { Shop } from './shop.ts'

type Say = (line: string) => void

/** A carrier and the orders that it delivers. */
export interface Load {
  readonly carrier: Carrier
  readonly orders: readonly ImportedOrder[]
}

export interface Sending {
  readonly outcomesKnown: boolean
  /** True if the rehearsed refusal was reported as one. */
  readonly refusedAsRehearsed: boolean
  readonly foundByItself: boolean
  readonly noneTwice: boolean
}

/** Assigns every second order to each carrier. The sandbox gets two more, whose customers' names make it rehearse faults. */
export async function share(api: Api, shop: Shop, { taken }: Import, [sandbox, yalidine]: readonly [Carrier, Carrier]): Promise<Load[]> {
  const rehearsals = [await rehearse(api, shop, taken[0]!, 'FAIL Amina'), await rehearse(api, shop, taken[2]!, 'TIMEOUT Karim')]
  return [
    { carrier: sandbox, orders: [...taken.filter((_, at) => at % 2 === 0), ...rehearsals] },
    { carrier: yalidine, orders: taken.filter((_, at) => at % 2 === 1) },
  ]
}

/** Sends all orders, including a refusal, a lost answer and orders that are sent again. */
export async function send(api: Api, shop: Shop, loads: readonly Load[], simulator: Yalidine, say: Say): Promise<Sending> {
  const answers = await Promise.all(loads.map(({ carrier, orders }) => sendMany(api, shop, carrier, orders)))
  for (const [at, { carrier }] of loads.entries()) say(`${carrier.label}: ${summary(answers[at]!)}`)
  const rehearsed = (name: string) => loads.flatMap(({ orders }) => orders).find(({ row }) => row.customer.startsWith(name))!.order.id
  const all = answers.flat()
  const refusal = all.find(({ orderId }) => orderId === rehearsed('FAIL '))
  const silence = all.find(({ orderId }) => orderId === rehearsed('TIMEOUT '))
  say(`Rehearsed refusal: ${refusal?.error?.message ?? 'the parcel was not refused'}`)
  const known = await outcomesKnown(api, shop)
  const parcels = await allParcels(api, shop)
  const found = parcels.find(({ id }) => id === silence?.parcel?.id)
  say(
    `Rehearsed lost answer: ${silence?.parcel?.outcomeUnknown ? 'outcome unknown' : 'the answer was not lost'}, then found as ${found?.trackingId} (${found?.status})`,
  )
  const again = await Promise.all(loads.map(({ carrier, orders }) => sendAgain(api, shop, carrier, sentOne(orders, parcels))))
  say('Sent one order of each carrier twice more, at the same time: each still has one parcel')
  const withYalidine = parcels.filter(({ courierId, trackingId }) => courierId === 'yalidine' && trackingId !== null)
  return {
    outcomesKnown: known,
    refusedAsRehearsed: refusal?.error?.code === 'carrier_refused',
    foundByItself: silence?.parcel?.outcomeUnknown === true && found?.status === 'submitted',
    noneTwice:
      again.every(({ trackingIds, parcels }) => trackingIds.size === 1 && parcels === 1) &&
      simulator.parcels().length === withYalidine.length,
  }
}

const sentOne = (orders: readonly ImportedOrder[], parcels: readonly { orderId: string | null; trackingId: string | null }[]) =>
  orders.find(({ order }) => parcels.some(({ orderId, trackingId }) => orderId === order.id && trackingId !== null))!

/** `190 sent, 3 refused (not_served …)`. */
function summary(answers: readonly RowAnswer[]): string {
  const refused = answers.filter(({ error }) => error)
  const sent = answers.filter(({ parcel, error }) => !error && parcel?.trackingId).length
  const waiting = answers.length - sent - refused.length
  const reasons = [...new Set(refused.map(({ error }) => error!.message))].slice(0, 3).map((reason) => `\n     - ${reason}`)
  return `${sent} sent at once, ${waiting} still being sent, ${refused.length} refused${reasons.join('')}`
}
