import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of order import: the code of each, and the sentence that a caller reads. */
export const orderImportErrors = defineErrors({
  referenceTooLong: [
    'invalid_request',
    ({ referenceMax }: Values<'referenceMax'>) => `The reference is longer than ${referenceMax} characters. Shorten it.`,
  ],
  referenceImported: [
    'conflict',
    ({ id }: Values<'id'>) =>
      `An order with this reference was imported before, with other contents: ${id}. Change that one, or give this one another reference.`,
  ],
  quantityMissing: ['invalid_request', 'Write a whole number of pieces, from 1 to 100000.'],
  productMissing: ['invalid_request', 'Write what was ordered: its name, or its sku.'],
  productUnknown: [
    'invalid_request',
    ({ named, version }: Values<'named' | 'version'>) =>
      `The store sells no product "${named}"${version}. Write its sku, or its name and variant as in the catalogue.`,
  ],
  goodsTooExpensive: [
    'invalid_request',
    ({ moneyMax }: Values<'moneyMax'>) => `The goods come to more than ${moneyMax}, the largest amount. Divide the order.`,
  ],
  discountTooHigh: ['invalid_request', 'The discount is more than the goods and the delivery cost. Lower it.'],
  totalDiffers: [
    'invalid_request',
    ({ total, computed }: Values<'total' | 'computed'>) =>
      `The total is ${total}, and goods, delivery and discount come to ${computed}. Correct one of them.`,
  ],
  pricesIncomplete: [
    'invalid_request',
    'Some rows of this order have a price and others have none. Write a price in every row, or in none.',
  ],
  priceAmbiguous: ['invalid_request', 'One price stands beside several products. Give each product a row of its own.'],
  totalAmbiguous: ['invalid_request', 'One total stands beside several products. Write their prices, or leave the total out.'],
  totalBelowDelivery: ['invalid_request', 'The total is less than the delivery. Correct one of them.'],
  countryInvalid: ['invalid_request', 'Write the two letters of the country, such as MA.'],
  rowsDiffer: ['invalid_request', 'Rows with the same reference differ here. Write the same value in all of them, or in only one.'],
  tooManyLines: [
    'invalid_request',
    ({ count, orderLinesMax }: Values<'count' | 'orderLinesMax'>) =>
      `Its rows come to ${count} lines; an order has at most ${orderLinesMax}. Divide it into several orders.`,
  ],
  amountTooHigh: [
    'invalid_request',
    ({ written, moneyMax }: Values<'written' | 'moneyMax'>) => `"${written}" is more than ${moneyMax}, the largest amount. Correct it.`,
  ],
  statusNotImported: [
    'invalid_request',
    ({ status }: Values<'status'>) => `"${status}": only orders that are pending or confirmed are imported. Remove the row.`,
  ],
  deliveryTypeUnknown: ['invalid_request', ({ written }: Values<'written'>) => `"${written}": write home or pickup.`],
})
