import { example } from '../../platform/geo/countries/index.ts'
import { exampleId, otherExampleId } from './ids.ts'

const [storeId, orderId, productId] = [exampleId('sto'), exampleId('ord'), exampleId('prd')]
const spreadsheet = { title: 'Orders of Maison Saadi', tab: 'Orders', language: 'fr' }
const sheet = { spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', tabId: '0' }
const columns = [
  { header: 'Nom', field: 'customerName' },
  { header: 'Téléphone', field: 'phone' },
  { header: 'Adresse', field: 'address' },
]
const hook = { url: 'https://shop.example/hooks/serai', description: 'Shop server' }
const pixelId = '871234567890123'
const event = {
  name: 'Purchase',
  url: 'https://shop.example/products/wool-basket',
  person: { phone: example.phone, city: example.cityName, country: example.country },
  value: 6500,
  currency: example.currency,
  orderId,
}

/** Examples of connections, webhooks, shops, sheets and advertising, by schema or operation. */
export const connectors: Readonly<Record<string, unknown>> = {
  NewIntegration: {
    enabled: true,
    credentials: { webhookSecret: 'choose a long random text' },
    settings: { fromStateCode: example.stateCode },
  },
  IntegrationChange: { enabled: true, settings: { fromStateCode: example.otherStateCode } },
  NewConnector: { platform: 'sandbox-shop', name: 'Test shop', enabled: true, credentials: {}, settings: { orders: 3 } },
  PullOrders: { since: '2026-11-01T00:00:00.000Z' },
  GoodsMatch: { productId },
  NewWebhookEndpoint: { ...hook, events: ['parcel.status_changed', 'inventory.stock.changed:main/BSK-30'] },
  WebhookEndpointChange: { events: ['parcel.delivered', 'parcel.submission_failed'] },
  NewStoreWebhook: { ...hook, events: ['order.created', 'order.status_changed'] },
  StoreWebhookChange: { events: ['order.created', 'payment.paid'] },
  StoreWebhookTelling: { event: 'order.created', ids: [orderId, otherExampleId('ord')] },
  NewSpreadsheet: spreadsheet,
  NewSpreadsheetTarget: { ...spreadsheet, statuses: ['confirmed', 'sent'], since: '2026-11-01T00:00:00.000Z' },
  NewSheetTarget: { ...sheet, language: 'fr', statuses: ['confirmed', 'sent'] },
  'spreadsheet.fieldMapping': { columns },
  configureConnector: { ...sheet, language: 'fr', columns },
  LeadSetupChange: { pageId: '104857612345678', forms: [{ formId: '771234567890123', productId }] },
  NewRowSpreadsheet: spreadsheet,
  mapConnectorFields: { columns },
  AdsSettingsChange: { accountIds: ['act_1234567890'], rules: [{ status: 'delivered', event: 'Purchase', pixelId, value: true }] },
  AdLinkChange: { productId },
  PixelRulesRun: { storeId, orderIds: [orderId] },
  NewPixelEvent: { storeId, pixelId, event },
  NewPixelEvents: { storeId, pixelId, events: [event] },
  PixelEventTest: { storeId, pixelId, code: 'TEST12345', event },
  NewProductCatalog: {
    storeId,
    platform: 'meta',
    productUrl: 'https://shop.example/products/{slug}',
    by: 'product',
    brand: 'Maison Saadi',
  },
  ProxyHostsFields: { hosts: ['api.shop.example'] },
  ProxyRequest: { storeId, url: 'https://api.shop.example/rates', method: 'GET', headers: { accept: 'application/json' } },
}
