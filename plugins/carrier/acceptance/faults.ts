import { fits, needed } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { Carrier, Shipment } from '../contract.ts'
import { Sent } from '../model.ts'
import type { Fault, Rig } from './rig.ts'

/** For what never answers; everything else has the usual time, so that a slow machine fails nobody. */
export const deadlineMs = 400
export const silent: readonly Fault[] = ['ignored', 'no_answer']

// What leaves nobody knowing, and how many parcels the carrier then has.
export const unknown: readonly (readonly [Fault, number])[] = [
  ['ignored', 0],
  ['error_before', 0],
  ['no_answer', 1],
  ['lost_answer', 1],
  ['error_after', 1],
  ['malformed', 1],
  ['mumbled', 1],
]

export const noWire = 'it calls nobody, so nothing is lost on the way'
export const wordsOf = (fault: Fault) => fault.replace('_', ' ')

/** Only the definition says that a carrier cannot fail so. */
export function hasNot({ net, rateWindows }: Carrier, rig: Rig, fault: Fault): string | false {
  if (rig.faults?.[fault]) return false
  if (net.length === 0) return noWire
  return fault === 'rate_limited' && rateWindows.length === 0 && 'it has no quota'
}

export const faulted = (rig: Rig, fault: Fault, step?: string): Shipment =>
  needed(rig.faults?.[fault], `faults.${fault}`)(rig.shipment(), step)

/** Sends one parcel well, so that what is asked for once (places) does not meet the fault. */
export async function readied(carrier: Carrier, rig: Rig, desk: Desk): Promise<Desk> {
  await carrier.send(desk.context, rig.shipment())
  return desk
}

/** What the core does about an unknown outcome. */
export async function settle(carrier: Carrier, { context }: Desk, shipment: Shipment): Promise<string> {
  const found = await carrier.findByReference?.(context, shipment.reference)
  if (found) fits(Sent, found, 'look-up')
  return (found ?? (await carrier.send(context, shipment))).trackingId
}
