import type { Meanings } from './group.ts'

/** Meanings of the values of orders, their confirmation, returns and customers. */
export const orders: readonly Meanings[] = [
  {
    pending: 'New: no call has decided about it. Call the customer, then set `confirmed`, `unreachable`, `postponed` or `cancelled`.',
    confirmed: 'The customer agreed to buy. Send it to a carrier next; address and lines may still change.',
    unreachable: 'Calls got no answer so far. The queue of calls offers it again later; it is not sent meanwhile.',
    postponed: 'The customer asked for a later date. The queue offers it again then.',
    sent: 'A carrier knows the parcel; it may not have collected it yet. From here on the carrier’s reports set the status.',
    out_for_delivery: 'A courier carries it today. Delivery, another attempt or a return follows.',
    delivered: 'The customer has the goods. The carrier now owes the cash; a return can be recorded.',
    returning: 'Delivery was given up and the goods travel back to the store.',
    returned: 'The goods came back. They count as stock again, or once they are scanned in, as the store chose.',
    cancelled: 'Called off, so nothing will be delivered. Reserved stock is free again; a user may set it back to `pending`.',
    lost: 'The carrier reports that the goods are gone. Nothing more happens; claim the damage there.',
  },
  {
    member: 'A user of the store entered it by hand or through the assistant.',
    api: 'A program created it with an API key, such as a storefront of your own.',
    storefront: 'A visitor without an account placed it, so the limits and blocks of the store applied.',
    connector: 'Imported from a connected shop, a lead form or a sheet.',
  },
  {
    confirmed: 'The customer agreed to buy; the order becomes `confirmed` and leaves the queue.',
    no_answer:
      'It rang without reply; the order becomes `unreachable` and comes back after 30 minutes at first, then after hours and days.',
    busy: 'The line was engaged; the order becomes `unreachable` and comes back after 10 minutes at first.',
    wrong_number: 'Somebody else answered; the order becomes `unreachable` and no further call is planned.',
    postponed: 'The customer wants a later date, which `until` must give; the order comes back then.',
    cancelled: 'The customer does not want it any more; `reason` is required and the order ends.',
    given_back: 'Nobody was called: the lease ends, the status stays, and another agent may take the order.',
  },
  {
    awaited: 'The goods are expected back but have not arrived. Record their arrival, or cancel the return.',
    received: 'The store has these pieces again; they went into stock if `restock` was true.',
    cancelled: 'The customer keeps the goods after all; the pieces can be returned anew.',
  },
  {
    unpaid: 'Nothing came in through a gateway: the carrier collects the full amount at the door.',
    pending: 'A checkout is under way, so a payment may arrive at any moment. Wait before you start another.',
    partially_paid: 'A share of the total arrived in advance; the carrier collects what is left.',
    paid: 'The whole total arrived in advance; the carrier collects nothing.',
    refunded: 'What had been received went back to the customer.',
    needs_attention: 'A member must decide about one payment; its `concern` gives the reason. Sending is refused until then.',
  },
  {
    status: 'Groups by where the order stands, from `pending` to `delivered` or `returned`.',
    stateCode: 'Groups by the province or region of the address.',
    source: 'Groups by origin: member, API key, storefront or connector.',
    deliveryType: 'Groups by home delivery or pickup point.',
    assignedTo: 'Groups by the agent who makes the calls.',
    paymentStatus: 'Groups by how much was paid in advance.',
    promoCode: 'Groups by the discount that customers entered.',
    landingPageId: 'Groups by the page that brought the order, as its `metadata` names it.',
    productId: 'Groups by goods; an order with several products counts once for each.',
  },
  {
    waiting: 'The row has not been processed; ask again shortly.',
    created: 'A new record came from this row; its id stands beside.',
    updated: 'The row matched an existing record, whose fields now have the new values.',
    repeated: 'The same row was imported before, so it was skipped.',
    failed: 'Rejected; `error` names the column and what is wrong. Correct the row and import it again.',
  },
  {
    processing: 'Some rows are still to be done; ask again in a moment.',
    completed: 'Every row has its result, good or bad. Look at the rows for failures.',
  },
  {
    waiting: 'Not begun: another job of the store runs first.',
    processing: 'Some orders have no result yet; ask again in a moment.',
    completed: 'Every order has its result, good or bad. Look at the rows that failed.',
    cancelled: 'Stopped by a user; orders that it had not reached are as they were.',
  },
  {
    waiting: 'The job has not reached this order; ask again shortly.',
    done: 'The order was changed, sent or printed as requested.',
    unchanged: 'The order was so already, so nothing happened.',
    pending: 'The carrier has not answered yet. The parcel continues by itself; follow it there.',
    failed: 'The order is as it was; `error` has the reason. Correct it and try again.',
    cancelled: 'The job was stopped before it reached this order.',
  },
  {
    request: 'A user of the store or the person themselves asked to be forgotten.',
    shop: 'The connected shop passed on a privacy request of its customer.',
    retention: 'The store’s own time limit for personal data ran out.',
  },
  {
    yes: 'A label of the parcel has been printed here.',
    no: 'No label has been printed here, or there is no parcel yet.',
  },
  {
    unknown: 'Too few deliveries to this customer have ended to say anything.',
    low: 'Most of what was sent to this customer was taken.',
    high: 'Much of what was sent to this customer came back. Ask once more before you send.',
  },
  {
    orders: 'The search of orders took too long; write more of the name, the number or the reference.',
    parcels: 'The search of parcels took too long; write the whole tracking number.',
    customers: 'The search of customers took too long; write more of the name or the number.',
    products: 'The search of products took too long; write more of the name.',
    people: 'The search of the team took too long; write more of the name or the address.',
  },
]
