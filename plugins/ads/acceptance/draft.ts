import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { PixelEvent } from '../events.model.ts'
import type { AdsAdapter } from '../members.ts'
import type { Rig } from './rig.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly adapter: AdsAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

/** A case before it is bound to an adapter and a rig. */
export interface Draft {
  readonly name: string
  run(bench: Bench): Promise<void> | void
}

let events = 0
/** Creates a current event with a name that the platform knows. */
export function event({ events: [name = 'Purchase'] }: Pick<AdsAdapter, 'events'>, change: Partial<PixelEvent> = {}): PixelEvent {
  events += 1
  return {
    id: `order-${process.pid}-${events}`,
    name,
    at: Math.floor(Date.now() / 1000) - 60,
    person: { email: ' John.Doe@Example.com ', phone: '+213 555 12-34-56', externalId: 'customer-1', country: 'DZ' },
    value: 6500.5,
    currency: 'DZD',
    orderId: `ORD-${events}`,
    contents: [{ id: 'SNK-42', name: 'Basket', quantity: 2, price: 3250.25 }],
    ...change,
  }
}
