import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of catalog: the code of each, and the sentence that a caller reads. */
export const catalogErrors = defineErrors({
  productUnknown: ['invalid_request', 'The store has no such product. GET /v1/products lists its products.'],
  variantUnknown: ['invalid_request', 'The product has no such variant. GET /v1/products/{id} lists its variants.'],
  variantMissing: ['invalid_request', 'The product has variants. Name one: GET /v1/products/{id} lists them.'],
  optionRepeated: ['invalid_request', 'Two options have the same name. Rename one of them.'],
  tierRepeated: ['invalid_request', 'Two tiers begin at the same quantity. Remove one of them.'],
  variantIdRepeated: ['invalid_request', 'Another variant here has this id. Leave the id of a new variant out.'],
  variantUnnamed: ['invalid_request', 'Send a name, or the options that the variant stands for.'],
  choiceMissing: ['invalid_request', ({ name, values }: Values<'name' | 'values'>) => `Choose ${name}: one of ${values}.`],
  optionUnknown: ['invalid_request', 'The product has no such option. GET /v1/products/{id} lists its options.'],
  variantRepeated: ['invalid_request', 'Another variant has the same options. Change or remove one of them.'],
  bundleOfItself: ['invalid_request', 'A bundle counts its own product by `quantity`; list other products here.'],
  orderTooExpensive: ['invalid_request', ({ moneyMax }: Values<'moneyMax'>) => `The order comes to more than ${moneyMax}.`],
  stockBelongsToVariants: ['invalid_request', 'A product with variants has no stock of its own. Send initialStock for each variant.'],
  initialStockTooLate: ['invalid_request', 'initialStock is for a new product; receive stock through POST /v1/inventory/operations.'],
  skuTaken: [
    'sku_taken',
    ({ taken }: Values<'taken'>) => `Another product or variant of the store has the sku "${taken}". Choose another one.`,
  ],
  percentTooHigh: ['invalid_request', 'Must be at most 100 percent.'],
  discountMissing: ['invalid_request', 'Send the discount: a percentage or an amount above zero.'],
  endsBeforeStart: ['invalid_request', 'The promotion ends before it begins. Exchange the times.'],
  promotionUnknown: ['invalid_promo', 'The store has no such promotion. Check its code, or order without it.'],
  promotionNotBegun: ['invalid_promo', 'This promotion has not begun. Order without its code.'],
  promotionOver: ['invalid_promo', 'This promotion is over. Order without its code.'],
  subtotalTooLow: [
    'invalid_promo',
    ({ least }: Values<'least'>) => `This promotion needs a subtotal of at least ${least}. Order more, or order without its code.`,
  ],
  promotionOfOtherState: ['invalid_promo', 'This promotion is not for that state. Order without its code.'],
  promotionOfOtherDelivery: [
    'invalid_promo',
    'This promotion is not for that kind of delivery. Choose another, or order without its code.',
  ],
  promotionOfOtherProducts: ['invalid_promo', 'This promotion is for other products. Order without its code.'],
  productNotOnSale: [
    'product_unavailable',
    ({ productId }: Values<'productId'>) => `The product ${productId} is not on sale in this store. Choose another one.`,
  ],
  variantNotOfProduct: [
    'product_unavailable',
    ({ productId, variantId }: Values<'productId' | 'variantId'>) =>
      `The product ${productId} has no variant ${variantId}. GET /v1/products/{id} lists its variants.`,
  ],
  variantNotChosen: ['product_unavailable', ({ productId }: Values<'productId'>) => `Name a variant of the product ${productId}.`],
  offerUnknown: [
    'product_unavailable',
    ({ productId, offerId }: Values<'productId' | 'offerId'>) =>
      `The product ${productId} has no offer ${offerId}. GET /v1/products/{id} lists its offers.`,
  ],
  parentUnknown: ['invalid_request', 'The store has no such category. Name one of its categories.'],
  parentOfItself: ['invalid_request', 'A category cannot be under itself. Name another parent.'],
  categoriesTooDeep: [
    'invalid_request',
    ({ depthMax }: Values<'depthMax'>) => `Categories have at most ${depthMax} levels. Name a higher parent.`,
  ],
  promotionUsedUp: ['invalid_promo', 'This promotion is used up. Order without its code.'],
  phoneLimitReached: ['invalid_promo', 'This phone number has reached its limit for the promotion. Order without its code.'],
  stockOnProductRow: ['invalid_request', 'A product with variants has no stock of its own. Write the stock in the rows of its variants.'],
  productRowMissing: ['invalid_request', 'No product has this slug. Put the row of the product above the rows of its variants.'],
  categoryUnknown: [
    'not_found',
    ({ shown }: Values<'shown'>) =>
      `The store has no category "${shown}". Write the name or the slug of an existing one, or create it first.`,
  ],
  categoryAmbiguous: [
    'invalid_request',
    ({ shown, slugs }: Values<'shown' | 'slugs'>) => `Several categories are called "${shown}". Write a slug: ${slugs}.`,
  ],
  tiersUnreadable: ['invalid_request', 'Write the tiers as 3=90|10=80: a number of pieces and the price of each.'],
  statePricesUnreadable: [
    'invalid_request',
    'Write the states as 16=400/250|31=700: the price to the door and, after a slash, to a pickup point.',
  ],
  yesOrNo: ['invalid_request', 'Write yes or no.'],
  jsonUnreadable: ['invalid_request', 'Write JSON, or leave the cell empty.'],
  choicesUnreadable: ['invalid_request', 'Write the choices as Size=42|Colour=black.'],
  slugTaken: ['slug_taken', 'Another product of the store has this slug. Choose another one.'],
})
