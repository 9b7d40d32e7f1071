import { desk } from './desk.ts'
import { orderFilters } from './order-filters.ts'
import { orderForm } from './order-form.ts'
import { orders } from './orders.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { start } from './start.ts'
import { status } from './status.ts'

/** English words. Every other language has the same keys. */
export const words = { ...desk, ...orderFilters, ...orderForm, ...orders, ...shell, ...signIn, ...start, ...status }
/** Type of the English words. */
export type English = typeof words
