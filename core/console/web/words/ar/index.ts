import type { Words } from '../words.ts'
import { desk } from './desk.ts'
import { errors } from './errors.ts'
import { orderFilters } from './order-filters.ts'
import { orderForm } from './order-form.ts'
import { orders } from './orders.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { start } from './start.ts'
import { status } from './status.ts'

export { errors }
/** Words of the language. */
export const words: Words = {
  ...desk,
  ...orderFilters,
  ...orderForm,
  ...orders,
  ...shell,
  ...signIn,
  ...start,
  ...status,
}
