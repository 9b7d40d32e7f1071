import type { Meanings } from './group.ts'

/** Meanings of the values of stores, catalogue, stock and content. */
export const shop: readonly Meanings[] = [
  {
    on_status: 'As soon as the carrier reports the return, unless the parcel was scanned in as damaged before.',
    on_scan: 'Only when the parcel is scanned in as good after its return. Damaged goods stay out.',
  },
  {
    orders: 'Sales that need a call or a decision.',
    parcels: 'What is packed, sent and accepted by carriers.',
    money: 'Payouts and payments that somebody must confirm.',
    connections: 'Platforms and receivers that do not work as they should.',
  },
  {
    slow: 'Counting took too long; read again later.',
    failed: 'Counting ended with an error, which the log of the server has.',
  },
  {
    viewer: 'May look at everything in the store and change nothing. For accountants and observers.',
    agent: 'Calls customers, edits and confirms orders. Cannot change products, settings or members.',
    admin: 'Runs the store: products, carriers, settings and members. Cannot transfer or delete it.',
    owner: 'Has every right, pays the subscription, and alone can transfer or delete the store. One per store.',
  },
  {
    open: 'Sent and not answered; it can be accepted or withdrawn.',
    accepted: 'The invited user joined the store.',
    declined: 'The invited user does not want to join. Invite again if that was a mistake.',
    withdrawn: 'An admin cancelled it, or the inviter lost the right to invite. Its link no longer works.',
    expired: 'Seven days passed without an answer. Send another.',
  },
  {
    receive: 'Goods arrive from a supplier; stock rises at the given cost.',
    supplier_return: 'Goods go back to the supplier; stock falls.',
    transfer: 'Goods change namespace, such as warehouse to shop. Both sides must have equal pieces.',
    convert: 'Some goods are used up to make others, with equal value on both sides.',
    fulfill: 'Goods leave for a customer, usually from a reservation.',
    pos_sale: 'Goods are sold over the counter, without an order.',
    customer_return: 'A customer brings goods back; stock rises.',
    adjust: 'A count found more or fewer pieces than recorded; this corrects it.',
  },
  {
    in: 'Used up: these pieces leave the stock.',
    out: 'Made: these pieces are added to the stock.',
  },
  {
    active: 'The pieces are set aside and nobody else can get them.',
    fulfilled: 'The pieces left the stock for their customer.',
    released: 'Given up by request; the pieces are for sale again.',
    expired: 'Its time ran out, so the pieces are for sale again.',
  },
  {
    draft: 'Hidden from customers and not orderable while you prepare it.',
    active: 'On sale: visible in the shop and orderable.',
    archived: 'Taken off sale; existing orders keep it.',
  },
  { image: 'A picture that the shop shows in its gallery.', video: 'A film that the shop plays in its gallery.' },
  {
    percent: '`value` is a percentage of the goods, without delivery.',
    fixed: '`value` is an amount of money taken off the goods.',
    free_shipping: 'The customer pays nothing for delivery; `value` is not used.',
  },
  {
    pending: 'Written by a visitor; only the store sees it until it decides.',
    published: 'Every visitor of the shop can read it.',
    hidden: 'The store decided against showing it to visitors.',
  },
  { html: 'The text has tags and is shown as written.', markdown: 'The text uses signs such as `#` and `*`, which are turned into tags.' },
  {
    pending: 'The TXT record with the proof was not found. Create it at your registrar; checks continue for 7 days.',
    verified: 'Ownership is proven, but the name does not point to this server yet. Create the CNAME or A record.',
    live: 'Ownership is proven and visitors reach the store under this name.',
    failing: 'It used to work, but no longer points here. Repair the DNS within 7 days.',
    failed: 'Checks have stopped. Correct the records, then request another check.',
  },
  {
    TXT: 'Carries the proof that you own the domain; visitors never see it.',
    CNAME: 'Sends visitors of the name to this server by its hostname.',
    A: 'Sends visitors of the name to this server by its IPv4 address.',
  },
  {
    product: 'One row per product, under the id that order events carry.',
    variant: 'One row per size, colour or other choice of a product.',
  },
]
