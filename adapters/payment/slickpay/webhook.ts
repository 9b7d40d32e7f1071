import { createReceiver, type GatewayEvent, type InboundRequest, isRow, isSameSecret, jsonIn, type Row, readable } from 'serai/payment'
import type { Context } from './fields.ts'
import { ID_MAX, idIn, invoiceEvent, invoiceIn, nameIn } from './news.ts'

/**
 * Unsigned webhook. SlickPay returns a value of ours in an undocumented field, so the address holds the secret instead. The body only tells
 * which invoice to read.
 */
export const webhook = { unsigned: 'webhookSecret', receive: createReceiver({ signed: false, verify, parse }) } as const

function verify({ url }: InboundRequest, { credentials }: Context): boolean {
  return isSameSecret(credentials.webhookSecret, new URL(url, 'https://here.invalid').searchParams.get('token'))
}

function parse({ body }: InboundRequest, context: Context): GatewayEvent[] {
  const events = [jsonIn(new TextDecoder().decode(body))].flat()
  return readable(context, events, (event) => (isRow(event) ? hintIn(event) : undefined))
}

const OURS_MAX = 64

/** Returns the id of the invoice. The format is not published: an invoice, its id, or our payment id. */
function hintIn(event: Row): GatewayEvent | undefined {
  const invoice = invoiceIn(event)
  const completed = invoice.completed ?? event.completed
  const told = completed === undefined ? { status: 'open' as const } : invoiceEvent({ ...invoice, completed })
  const externalId = idIn(invoice) ?? nameIn(event.invoice_id, ID_MAX)
  if (told && externalId !== undefined) return { externalId, ...told }
  const paymentId = nameIn([event.webhook_meta_data].flat().find(isRow)?.paymentId, OURS_MAX)
  return told && paymentId !== undefined ? { paymentId, ...told } : undefined
}
