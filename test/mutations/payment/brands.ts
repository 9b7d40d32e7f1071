// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in behaviour of one gateway only. Its adapter's own tests catch them, since the suite of all gateways has no case for it. */
export const brandFaults: Mutations = {
  'amount rounded': [
    [
      'satim',
      'checkouts.ts',
      "if (amount % DINAR !== 0) throw refusal('centimes', `${LABEL} takes whole dinars: round the amount to one without centimes.`)\n",
      '',
    ],
    ['paypal', 'money.ts', 'if (isWhole && Number(fraction) > 0)', 'if (false)'],
    ['stripe', 'checkouts.ts', 'if (THREE_DECIMALS.includes(currency) && amount % 10 !== 0)', 'if (false)'],
  ],
  'return URLs exchanged or lost': [['stripe', 'checkouts.ts', "${returnUrl.includes('?') ? '&' : '?'}", '?']],
  'idempotency key left out, or new each time': [
    ['stripe', 'checkouts.ts', ', key: await keyOf(asked, form) }', ' }'],
    ['stripe', 'api.ts', "...(key !== undefined && { 'idempotency-key': key }),", ''],
    ['stripe', 'refunds.ts', ', key: `refund-${refundId}` }', ' }'],
    ['stripe', 'checkouts.ts', '`checkout-${paymentId}-${toHex', '`checkout-${crypto.randomUUID()}-${toHex'],
    ['paypal', 'checkouts.ts', 'const id = `checkout-${asked.paymentId}-', 'const id = `checkout-${crypto.randomUUID()}-'],
    ['stripe', 'checkouts.ts', '-${toHex(await sha256(encodeForm(form))).slice(0, DIGEST_LETTERS)}`', '`'],
  ],
  'wrong mode (test or live)': [
    ['slickpay', 'api.ts', "mode === 'live' ? hosts.live : hosts.sandbox", "mode === 'live' ? hosts.sandbox : hosts.live"],
    ['chargily', 'checkouts.ts', 'if ((modeIn(row) ?? context.settings.mode) !== context.settings.mode)', 'if (false)'],
  ],
  'fees charged to the payer': [['slickpay', 'invoices.ts', '    fees: 0,\n', '    fees: 100,\n']],
  'unknown status guessed': [
    ['satim', 'news.ts', 'Object.hasOwn(statuses, said) ? statuses[said] : undefined', "statuses[said] ?? 'paid'"],
    ['stripe', 'news.ts', "if (session.payment_status !== 'unpaid') return undefined", ''],
    ['chargily', 'news.ts', 'Object.hasOwn(statuses, said) ?', 'said in statuses ?'],
  ],
  "paid without the bank's approval": [
    ['satim', 'news.ts', 'if (!isSure && !isRefunded) throw', 'if (false) throw'],
    ['satim', 'news.ts', 'respCodeIn(row) === APPROVED\n', 'respCodeIn(row) !== undefined\n'],
  ],
  'requested amount read as paid': [['satim', 'news.ts', 'isRefunded || given > 0 ? asked : deposited || asked', 'asked']],
  'fee lost, or in the wrong currency': [
    ['chargily', 'news.ts', 'whole(row.fees_on_merchant)]', 'whole(row.fees)]'],
    ['stripe', 'news.ts', 'isRow(balance) && balance.currency === session.currency ?', 'isRow(balance) ?'],
    ['paypal', 'news.ts', 'fee.currency === currency ? fee.amount : undefined', 'fee.amount'],
    ['stripe', 'checkouts.ts', "'payment_intent.latest_charge.balance_transaction'", "'payment_intent.latest_charge'"],
  ],
  'refund not reported': [
    ['satim', 'refund-notes.ts', 'sum + (number(value) ?? 0)', 'number(value) ?? sum'],
    ['satim', 'refunds.ts', '  await noteRefund(context, asked)\n', ''],
  ],
  'times in the wrong unit': [
    [
      'stripe',
      'checkouts.ts',
      'Math.ceil(earliest / SLOT_SECONDS) * SLOT_SECONDS',
      'Math.ceil(earliest / SLOT_SECONDS) * SLOT_SECONDS * 1000',
    ],
    ['satim', 'checkouts.ts', 'context.now() + seconds * 1000', 'context.now() + seconds'],
  ],
  'wrong checkout returned': [
    ['chargily', 'checkouts.ts', 'if (news?.externalId !== externalId) throw', 'if (!news) throw'],
    ['slickpay', 'invoices.ts', 'const isAnother = invoice.id !== undefined && idIn(invoice) !== externalId', 'const isAnother = false'],
    ['stripe', 'checkouts.ts', 'if (idIn(row) !== externalId) throw unreadable(LABEL, `nothing that is known of ${externalId}`)', ''],
  ],
  'refunded twice': [
    ['stripe', 'refunds.ts', '(await findRefund(context, intent, refundId)) ??', ''],
    ['paypal', 'refunds.ts', '  if (ours) return refundedOf(ours)\n', ''],
  ],
  'pending or failed refund reported as done': [
    ['stripe', 'refunds.ts', "pending: 'pending'", "pending: 'done'"],
    ['paypal', 'refunds.ts', "PENDING: 'pending'", "PENDING: 'done'"],
    ['paypal', 'refunds.ts', "FAILED: 'failed'", "FAILED: 'done'"],
    ['stripe', 'refunds.ts', "failed: 'failed'", "failed: 'done'"],
    ['satim', 'refunds.ts', '  if (codeOf(row) !== OK) throw problemIn(row)\n', ''],
  ],
  'unpaid amount refunded': [
    ['paypal', 'refunds.ts', "statusOf(order) === 'paid' ? captureOf(order) : undefined", 'captureOf(order)'],
    ['stripe', 'refunds.ts', 'if (currencyIn(session.currency) !== currency)', 'if (false)'],
  ],
  'held amount captured twice, or capture not reported': [
    ['paypal', 'checkouts.ts', "if (error.upstream.code === 'ORDER_ALREADY_CAPTURED') return read(context, externalId)\n", ''],
    ['paypal', 'checkouts.ts', "{ body: '{}', id: `capture-${externalId}` }", "{ body: '{}', id: crypto.randomUUID() }"],
    ['paypal', 'checkouts.ts', "if (error.upstream.code !== 'INSTRUMENT_DECLINED') throw error", 'throw error'],
  ],
  'reported as closed although payable': [
    ['offline', 'checkouts.ts', "if (one.status !== 'open') return refuse", "if (one.status === 'paid') return refuse"],
  ],
  'empty secret accepted': [['paypal', 'webhook.ts', '!webhookId || event === undefined', 'event === undefined']],
  'certificate of any host accepted': [
    ['paypal', 'webhook.ts', '!/(^|\\.)paypal\\.com$/.test(certificate.hostname)', 'false'],
    ['paypal', 'webhook.ts', '/(^|\\.)paypal\\.com$/', '/paypal\\.com/'],
  ],
  'creation repeated although it may have succeeded': [
    [
      'satim',
      'refunds.ts',
      "const row = await call(context, 'refund.do', { orderId: externalId, amount, language: languageOf(context) })",
      "const give = () => call(context, 'refund.do', { orderId: externalId, amount, language: languageOf(context) })\n  const row = await give().catch(give)",
    ],
  ],
  'error with status 200 read as success': [
    ['slickpay', 'invoices.ts', "throw refusalIn(row) ?? unreadable(LABEL, 'no invoice')", "throw unreadable(LABEL, 'no invoice')"],
  ],
  'empty or unreadable answer accepted': [
    [
      'stripe',
      'checkouts.ts',
      'if (!news) throw unreadable(LABEL, `nothing that is known of ${externalId}`)',
      "if (!news) return { externalId, status: 'open' }",
    ],
    ['guiddini', 'payments.ts', "said === undefined || said === '' || named !== externalId", 'named !== externalId'],
  ],
  'token requested each time, or never renewed': [
    ['paypal', 'token.ts', 'await context.storage.set(NAME, note)', ''],
    ['paypal', 'api.ts', 'first.status === 401 ? await', 'false ? await'],
    ['paypal', 'token.ts', 'seconds * 1000)\n', 'seconds)\n'],
    ['paypal', 'token.ts', 'sealed: await encryptToken(context, token),', 'sealed: toBase64(new TextEncoder().encode(token)),'],
  ],
  'server error reported as a refusal': [
    ['stripe', 'api.ts', 'if (answer.status === 409) return', 'if (false) return'],
    ['stripe', 'api.ts', 'answer.status === 402 ? 400 : answer.status', 'answer.status === 402 ? 500 : answer.status'],
    ['satim', 'api.ts', "  1: 'unavailable',", "  1: 'refused',"],
  ],
  'secret in a message': [
    ['chargily', 'api.ts', '`This is a key of the ${other} mode', '`${key} is a key of the ${other} mode'],
    ['paypal', 'webhook.ts', '{ reason: error.reason })', '{ reason: error.reason, secret: context.credentials.clientSecret })'],
  ],
  'redirect followed, or card number stored': [
    ['satim', 'news.ts', 'pan !== undefined && /^\\d{4,6}[*xX.]{2,}\\d{4}$/.test(pan) ? `card ${pan}` : undefined', 'pan && `card ${pan}`'],
    ['guiddini', 'payments.ts', 'isMasked ? `card ${pan}` : undefined', 'pan && `card ${pan}`'],
  ],
}
