import type { Template } from '../template.ts'
import * as account from './account.ts'
import * as business from './business.ts'
import * as trouble from './trouble.ts'

/** All mail templates by name. */
export const templates = {
  verify_email: account.verifyEmail,
  reset_password: account.resetPassword,
  sign_in_code: account.signInCode,
  account_made: account.accountMade,
  address_changed: account.addressChanged,
  password_changed: account.passwordChanged,
  way_in_added: account.wayInAdded,
  new_sign_in: account.newSignIn,
  account_transfer: account.accountTransfer,
  store_invitation: business.storeInvitation,
  admin_message: business.adminMessage,
  subscription_due: business.subscriptionDue,
  subscription_receipt: business.subscriptionReceipt,
  plan_orders: business.planOrders,
  customer_asks: business.customerAsks,
  customer_forgotten: business.customerForgotten,
  webhook_failing: trouble.webhookFailing,
  webhook_disabled: trouble.webhookDisabled,
  webhook_gone: trouble.webhookGone,
  connection_attention: trouble.connectionAttention,
  platform_connection_attention: trouble.platformConnectionAttention,
} as const satisfies Readonly<Record<string, Template>>

/** Name of a mail template. */
export type TemplateName = keyof typeof templates
/** Values of a mail template. */
export type ValuesOf<N extends TemplateName> = (typeof templates)[N] extends Template<infer V> ? Readonly<Record<V, string>> : never
