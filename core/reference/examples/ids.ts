/** Id of a record as examples show it: one for each kind, so that all examples speak of the same records. */
export const exampleId = (prefix: string): string => `${prefix}_01jd3k8s6wq2v5x7y9z0a1b2c3`

/** Second id of a kind, for lists. */
export const otherExampleId = (prefix: string): string => `${prefix}_01jd3m2f4hr8t6n1p0q9s7v5w4`

/** Ids by field name, for fields that mean the same everywhere. */
export const idsByField: Readonly<Record<string, unknown>> = {
  storeId: exampleId('sto'),
  storeIds: [exampleId('sto')],
  projectId: exampleId('prj'),
  productId: exampleId('prd'),
  productIds: [exampleId('prd'), otherExampleId('prd')],
  variantId: exampleId('var'),
  categoryId: exampleId('cat'),
  orderId: exampleId('ord'),
  orderIds: [exampleId('ord'), otherExampleId('ord')],
  parcelId: exampleId('par'),
  customerId: exampleId('cus'),
  userId: exampleId('usr'),
  userIds: [exampleId('usr'), otherExampleId('usr')],
  templateId: exampleId('tpl'),
  landingPageId: exampleId('pag'),
  conversationId: exampleId('cnv'),
  webhookId: exampleId('whe'),
  carrierAccountId: exampleId('int'),
  fileId: exampleId('fil'),
}
