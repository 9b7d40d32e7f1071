import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of shops: the code of each, and the sentence that a caller reads. */
export const connectorShopErrors = defineErrors({
  connectorOff: ['adapter_not_enabled', 'The connector is switched off. Switch it on first.'],
  tabIsWritten: ['conflict', 'The rows of this tab become orders: orders cannot be written there as well. Choose another tab.'],
  productNotOnSale: ['invalid_request', 'The store has no such product on sale. GET /v1/products lists its products.'],
  webhookUnread: ['upstream_error', 'The adapter could not read this webhook. Send it again later.'],
  verificationTokenWrong: ['invalid_signature', 'The verification token does not match. Enter the one of the connection.'],
  shopConnected: [
    'conflict',
    ({ host, name }: Values<'host' | 'name'>) =>
      `The store is connected to ${host} already (${name}). Change that connection, or delete it.`,
  ],
  connectionOfOtherShop: [
    'conflict',
    ({ label }: Values<'label'>) => `This connection has orders of another shop of ${label}. Connect this shop under another name.`,
  ],
  shopConnectedTwice: [
    'conflict',
    ({ label, name }: Values<'label' | 'name'>) =>
      `The store is connected to this shop of ${label} already (${name}). Delete one of both connections.`,
  ],
  hostMissing: ['invalid_request', ({ label }: Values<'label'>) => `Name the shop of ${label} by its host, such as shop.example.`],
  onlyByKeys: [
    'not_found',
    ({ label }: Values<'label'>) => `${label} is connected by its keys only: POST /v1/stores/{storeId}/integrations/connectors.`,
  ],
  nameOfOtherShop: [
    'conflict',
    ({ name, label }: Values<'name' | 'label'>) => `The connection "${name}" belongs to another shop of ${label}. Choose another name.`,
  ],
  linkUsed: ['invalid_request', 'This link was already used, has expired, or never existed. Start again.'],
  rightLost: ['invalid_request', 'The user who started this may no longer connect the store. Start again as another member.'],
  keysRejected: ['invalid_request', 'The shop rejected these keys. Make new ones in the shop, and start again.'],
  linkUnknown: ['invalid_request', 'This link is unknown. Start again.'],
  webhookTooLarge: [
    'payload_too_large',
    ({ readMax }: Values<'readMax'>) => `A webhook to the address of all shops may have at most ${readMax} bytes.`,
  ],
  noWebhooks: [
    'not_found',
    ({ label }: Values<'label'>) => `${label} sends no webhooks: its orders are read every few hours, or by …/pull.`,
  ],
  pageMissing: ['invalid_request', 'Name the page; GET …/pages lists them.'],
  spreadsheetMissing: ['invalid_request', 'Name the spreadsheet and its tab.'],
  formsMissing: ['invalid_request', 'Name the page and its forms.'],
  noForms: ['not_found', ({ label }: Values<'label'>) => `${label} has no forms: its orders are read as they are.`],
  formRepeated: ['invalid_request', ({ repeated }: Values<'repeated'>) => `The form ${repeated} is named twice. Name it once.`],
  variantMissing: ['invalid_request', 'Name the variant of the product that the form sells.'],
  timeInFuture: ['invalid_request', 'Must not be later than now.'],
  tabMissing: ['invalid_request', 'Name the tab: `tabId` with its id, or `sheetName` with its title.'],
  tabUnknown: ['invalid_request', ({ name, tabs }: Values<'name' | 'tabs'>) => `There is no tab "${name}". The tabs are: ${tabs}.`],
  columnUnknown: ['invalid_request', ({ header }: Values<'header'>) => `The tab has no column "${header}". Name one of its headings.`],
  columnRepeated: ['invalid_request', ({ repeated }: Values<'repeated'>) => `Two columns hold "${repeated}". Leave one out.`],
  phoneColumnMissing: ['invalid_request', 'No column with the phone number was recognized. Name it in `columns`.'],
  productColumnMissing: ['invalid_request', 'No column with the product was recognized. Name it in `columns`.'],
  keyColumnGone: [
    'conflict',
    ({ header }: Values<'header'>) =>
      `The tab has no column "${header}" any more, which identifies its rows. Without it they would all be imported again. Put its header back, or choose another tab.`,
  ],
  notASpreadsheet: ['not_found', ({ platform }: Values<'platform'>) => `The connector is not a spreadsheet of ${platform}.`],
  shopHostMissing: ['invalid_request', 'This does not name a shop. Write its host, such as shop.example.'],
  productsOnlyForOwner: [
    'adapter_not_enabled',
    ({ label }: Values<'label'>) => `${label} shows products only to the shop that owns them. Connect it first: POST …/connectors.`,
  ],
})
