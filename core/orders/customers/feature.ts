import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { Customer } from './customers.model.ts'
import { personalCustomers } from './customers.queries.ts'
import { customerRoutes } from './customers.routes.ts'

const events = { 'customer.created': eventOfStore('Somebody bought in the store for the first time', { customer: Customer }) }

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Customers of stores, by phone number. */
export default feature('customers', { routes: [customerRoutes], events, personalData: [personalCustomers] })
