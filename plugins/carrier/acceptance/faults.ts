import { assertFits, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { Carrier, Shipment } from '../contract.ts'
import { Sent } from '../model.ts'
import type { Fault, Rig } from './rig.ts'

/** Deadline in milliseconds for a call that is never answered. Others have the usual deadline, so that a slow machine fails no case. */
export const deadlineMs = 400
/** Faults without any answer. */
export const silentFaults: readonly Fault[] = ['ignored', 'no_answer']

/** Faults after which the outcome is unknown, with the number of parcels that the carrier then has. */
export const unknownOutcomeFaults: readonly (readonly [Fault, number])[] = [
  ['ignored', 0],
  ['error_before', 0],
  ['no_answer', 1],
  ['lost_answer', 1],
  ['error_after', 1],
  ['malformed', 1],
  ['mumbled', 1],
]

/** Reason to skip cases about calls. */
export const NO_CALLS = 'it makes no calls, so none can fail'
/** Returns the name of a fault as words. */
export const faultName = (fault: Fault) => fault.replace('_', ' ')

/** Returns the reason why a carrier cannot have this fault, by its definition; false if it can. */
export function reasonWithoutFault({ net, rateWindows }: Carrier, rig: Rig, fault: Fault): string | false {
  if (rig.faults?.[fault]) return false
  if (net.length === 0) return NO_CALLS
  return fault === 'rate_limited' && rateWindows.length === 0 && 'it has no quota'
}

/** Builds a shipment and applies a fault to it. */
export const shipmentWithFault = (rig: Rig, fault: Fault, step?: string): Shipment =>
  requireMember(rig.faults?.[fault], `faults.${fault}`)(rig.shipment(), step)

/** Sends one parcel without faults, so that data read only once (places) are cached before the fault. */
export async function warmUp(carrier: Carrier, rig: Rig, desk: Desk): Promise<Desk> {
  await carrier.send(desk.context, rig.shipment())
  return desk
}

/** Resolves an unknown outcome as the core does: looks the parcel up, and sends it again if there is none. Returns its tracking number. */
export async function resolveOutcome(carrier: Carrier, { context }: Desk, shipment: Shipment): Promise<string> {
  const found = await carrier.findByReference?.(context, shipment.reference)
  if (found) assertFits(Sent, found, 'look-up')
  return (found ?? (await carrier.send(context, shipment))).trackingId
}
