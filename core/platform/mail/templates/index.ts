import type { MailTemplate } from '../template.ts'
import * as account from './account.ts'
import * as trouble from './attention.ts'
import * as business from './business.ts'

/** All mail templates by name. */
export const mailTemplates = {
  verify_email: account.verifyEmail,
  reset_password: account.resetPassword,
  sign_in_code: account.signInCode,
  account_made: account.accountCreated,
  address_changed: account.addressChanged,
  password_changed: account.passwordChanged,
  way_in_added: account.signInMethodAdded,
  new_sign_in: account.newSignIn,
  account_transfer: account.accountTransfer,
  store_invitation: business.storeInvitation,
  admin_message: business.adminMessage,
  subscription_due: business.subscriptionDue,
  subscription_receipt: business.subscriptionReceipt,
  plan_orders: business.planOrders,
  customer_asks: business.customerDataRequest,
  customer_forgotten: business.customerDataDeletion,
  webhook_failing: trouble.webhookFailing,
  webhook_disabled: trouble.webhookDisabled,
  webhook_gone: trouble.webhookGone,
  connection_attention: trouble.connectionAttention,
  platform_connection_attention: trouble.platformConnectionAttention,
} as const satisfies Readonly<Record<string, MailTemplate>>

/** Name of a mail template. */
export type TemplateName = keyof typeof mailTemplates
/** Values of a mail template. */
export type ValuesOf<N extends TemplateName> = (typeof mailTemplates)[N] extends MailTemplate<infer V> ? Readonly<Record<V, string>> : never
