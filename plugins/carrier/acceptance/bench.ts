import { saysNothingInAddresses, stampsInTime } from '../../acceptance/calls.ts'
import { needed, same } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import { leaksNothing, watched } from '../../acceptance/watch.ts'
import type { Carrier, Sent, Shipment } from '../contract.ts'
import { carrier as kind } from '../kind.ts'
import type { Rig } from './rig.ts'
import type { SeenParcel } from './seen.ts'

/** What a case works with: the carrier under watch, its other side, and connections. */
export interface Bench {
  readonly carrier: Carrier
  readonly rig: Rig
  open(options?: DeskOptions): Desk
  /** A parcel that was sent well. */
  sent(change?: Partial<Shipment>, desk?: Desk): Promise<{ desk: Desk; shipment: Shipment; sent: Sent }>
}

/**
 * Runs one case; whatever it was about, no secret may have come out or stood in an address, no undeclared host may have been asked, and
 * no call may have told a time that is not its own.
 */
export async function bench(carrier: Carrier, rig: Rig, run: (bench: Bench) => Promise<void> | void): Promise<void> {
  const began = Date.now()
  const seen: unknown[] = []
  const desks: Desk[] = []
  const open = (options?: DeskOptions) => {
    const desk = rig.open(options)
    desks.push(desk)
    return desk
  }
  const watchedCarrier = watched(carrier, kind.groups, seen)
  const sent: Bench['sent'] = async (change, desk = open()) => {
    const shipment = rig.shipment(change)
    return { desk, shipment, sent: await watchedCarrier.send(desk.context, shipment) }
  }
  try {
    await run({ carrier: watchedCarrier, rig, open, sent })
  } finally {
    rig.calm()
  }
  leaksNothing(carrier, rig, [...seen, ...desks.flatMap(({ logged }) => logged)])
  same(
    desks.flatMap(({ undeclared }) => undeclared),
    [],
    'hosts asked for but not declared',
  )
  if (desks.length === 0) return
  const calls = (await needed(rig.seen, 'seen')('')).calls.filter(({ at }) => at >= began)
  saysNothingInAddresses(carrier, rig, calls)
  stampsInTime(
    calls,
    desks.map(({ context }) => context.now() - Date.now()),
  )
}

/** What arrived of one parcel; fails where the other side has none of it, or several. */
export async function arrived({ rig }: Pick<Bench, 'rig'>, reference: string): Promise<SeenParcel> {
  const { parcels } = await needed(rig.seen, 'seen')(reference)
  same(parcels.length, 1, 'parcels in the books of the other side')
  return parcels[0]!
}
