import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { Customer } from './customers.model.ts'

const events = { 'customer.created': eventOfStore('Somebody ordered for the first time', { customer: Customer }) }

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Who ordered in a store. */
export default feature('customers', { events })
