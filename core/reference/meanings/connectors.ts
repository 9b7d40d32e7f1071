import type { Meanings } from './group.ts'

const people = {
  customerName: 'First and family name in one cell.',
  phone: 'Mobile number that the carrier calls.',
  phoneAlt: 'A second number, tried when the first does not answer.',
  email: 'Address for messages to the buyer.',
  country: 'Two letters of ISO 3166-1, such as FR.',
  state: 'Province, region or county, by its name.',
  city: 'Commune or town of the delivery.',
  address: 'Street, building and landmarks for the courier.',
}
const amounts = {
  delivery: 'Cost of shipping that the buyer pays.',
  total: 'Goods and shipping less the discount: what the order comes to.',
}

/** Meanings of the values of connected shops, sheets and advertising. */
export const connectors: readonly Meanings[] = [
  {
    carrier: 'Carriers, which deliver parcels and collect cash.',
    payment: 'Payment gateways, through which customers prepay.',
    social: 'Providers that people sign in with.',
    connector: 'Shop platforms whose orders are imported.',
    spreadsheet: 'Online tables, such as Google Sheets, that list each order in a row.',
    ads: 'Advertising platforms that are told of sales.',
    model: 'Providers of language and image models.',
  },
  {
    waiting: 'Not an order here so far; `why` names the obstacle. Remove it and retry.',
    taken: 'Imported: `orderId` has the order. With `why`, a later change of the shop was not applied.',
    over: 'The shop ended it before it could be imported; nothing is left to do.',
  },
  {
    goods: 'A line has an item that no product here is matched with. Match it in the inbox.',
    currency: 'The shop sells in another currency than the store. Connect a store of that currency.',
    unreadable: 'A required value is missing or malformed; `message` says which. Correct it in the shop.',
    phone: 'The number is missing or impossible, so nobody could be called. Correct it in the shop.',
    stock: 'Fewer pieces are free than were sold. Receive goods, then retry.',
    refused: 'Another rule of the store rejects it; `message` has the sentence.',
    busy: 'The order is being sent, or changed goods await a match. It is retried automatically.',
    not_followed: 'The shop changed it after a carrier had it, so the change was left out.',
  },
  {
    unmatched: 'Items without a product on sale here. Orders with them wait.',
    matched: 'Items that are linked to a product; their orders are imported.',
  },
  {
    untested: 'No test has shown whether the keys work. Run one.',
    connected: 'The latest test succeeded, so the keys and the address work.',
    failed: 'The latest test did not succeed: the keys or the address are wrong.',
  },
  {
    reference: 'Number of the order, which the customer knows.',
    createdAt: 'Date and time of the purchase.',
    status: 'Where the order stands, in the language of the sheet.',
    ...people,
    firstName: 'Given name, if the family name has a column of its own.',
    lastName: 'Family name, if the given name has a column of its own.',
    deliveryType: 'Home delivery or pickup point.',
    products: 'Names of all goods with their quantities, in one cell.',
    items: 'Number of pieces in the whole order.',
    sku: 'Article number that finds the product in the catalogue.',
    variant: 'Size, colour or other choice of the product.',
    quantity: 'Number of pieces of the product.',
    price: 'Amount for one piece, without shipping.',
    subtotal: 'All goods together, before shipping and discount.',
    ...amounts,
    discount: 'Amount that a promotion takes off.',
    paid: 'Amount received in advance.',
    note: 'Remark of the buyer or of the store.',
    promoCode: 'Discount code that the buyer entered.',
    source: 'Origin: member, API key, storefront or connector.',
    carrier: 'Delivery company that has the parcel.',
    tracking: 'Number under which the carrier knows the parcel.',
    assignedTo: 'Agent who makes the calls.',
    parcelStatus: 'Progress of the delivery, as the carrier reports it.',
    updatedAt: 'Date and time of the latest edit.',
  },
  {
    waiting: 'To be written within moments.',
    written: 'The sheet shows the order as it is now.',
    gone: 'Somebody deleted the line from the sheet; it is not written again by itself.',
  },
  {
    'order.created': 'Announces the chosen orders as if they were new.',
    'order.updated': 'Announces the chosen orders as edited, with their present content.',
    'product.created': 'Announces the chosen products as if they were new.',
    'product.updated': 'Announces the chosen products as edited, with their present content.',
  },
  {
    meta: 'Catalogue of Facebook and Instagram ads.',
    google: 'Feed of Merchant Center, for shopping ads.',
    tiktok: 'Catalogue of ads and of its shop.',
  },
  {
    active: 'Switched on: people may see it and it may cost money.',
    paused: 'Switched off for now by the advertiser; it can go on.',
    ended: 'Finished or removed; it costs nothing any more.',
    unknown: 'The platform reports something that has no counterpart here.',
  },
  {
    campaign: 'Covers every ad of one budget and goal.',
    ad: 'Covers a single ad and overrides the one of its campaign.',
  },
  {
    url: 'Recognized from the page that the ad opens.',
    person: 'Chosen by a user, and never replaced automatically.',
  },
  {
    product: 'One row per product, with spend and orders together.',
    landingPage: 'One row per page that ads lead to.',
    campaign: 'One row per budget and goal at the platform.',
    day: 'One row per calendar date in the time zone of the store.',
  },
  {
    waiting: 'Scheduled for the platform; sent within moments.',
    known: 'Recorded by an earlier run, so it is not sent again.',
    late: 'Too old: the order reached its status longer ago than the platform accepts.',
  },
  {
    no_picture: 'Platforms demand an image and the product has none. Upload one.',
    not_active: 'Drafts and archived products are not for sale. Publish it first.',
  },
  {
    oauth: 'The user authorizes on a page of the platform. Start with `oauth/start`.',
    keys: 'The user pastes keys that the platform’s dashboard shows.',
    link: 'The user opens a link that installs Serai on the platform.',
  },
  {
    day: 'One point per calendar date.',
    week: 'One point per seven dates, from Monday to Sunday.',
    month: 'One point per calendar month.',
  },
]
