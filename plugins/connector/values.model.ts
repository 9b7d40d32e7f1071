import { Type as T } from '@sinclair/typebox'
import { PrintableText } from '../schema.ts'

const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d)$'

/** Time in ISO 8601 with its zone. */
export const Instant = T.String({ pattern: DATE_TIME, maxLength: 40, description: 'ISO 8601, with its zone' })
/** Exact amount in the major unit, as text. Floats are not accepted. */
export const ShopMoney = T.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description: 'a decimal in the major unit: `2500` or `19.99`' })
/** The platform's id of an object. */
export const ExternalId = PrintableText(200, 1)
/** The platform's permanent id of a shop. It is equal for each connection to the shop, and different for other shops. */
export const AccountId = PrintableText(200, 1)
