import { runRecorded } from '../../acceptance/bench.ts'
import { assertEqual, requireMember } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { Carrier, Sent, Shipment } from '../contract.ts'
import { carrier as kind } from '../kind.ts'
import type { Rig } from './rig.ts'
import type { SeenParcel } from './seen.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly carrier: Carrier
  readonly rig: Rig
  open(options?: DeskOptions): Desk
  /** Sends a parcel and returns it with its connection. */
  sent(change?: Partial<Shipment>, desk?: Desk): Promise<{ desk: Desk; shipment: Shipment; sent: Sent }>
}

/** Runs one case. */
export async function runCase(carrier: Carrier, rig: Rig, run: (bench: Bench) => Promise<void> | void): Promise<void> {
  const began = Date.now()
  const play = (watchedCarrier: Carrier, open: Bench['open']) => {
    const sent: Bench['sent'] = async (change, desk = open()) => {
      const shipment = rig.shipment(change)
      return { desk, shipment, sent: await watchedCarrier.send(desk.context, shipment) }
    }
    return run({ carrier: watchedCarrier, rig, open, sent })
  }
  const calls = async () => (await requireMember(rig.seen, 'seen')('')).calls.filter(({ at }) => at >= began)
  await runRecorded(carrier, rig, kind.groups, play, calls)
}

/** Returns the simulator's record of a parcel. Throws if it has none or several. */
export async function findRecordedParcel({ rig }: Pick<Bench, 'rig'>, reference: string): Promise<SeenParcel> {
  const { parcels } = await requireMember(rig.seen, 'seen')(reference)
  assertEqual(parcels.length, 1, 'parcels at the carrier')
  return parcels[0]!
}
