// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in verifying callbacks, in subscriptions, and in pushes to the shop. */
export const callbackFaults: Mutations = {
  'signature not compared': [
    ['woocommerce', 'webhook.ts', 'isHmacSha256(secret, body, base64Bytes(signature))', 'true'],
    ['shopify', 'webhook.ts', 'isHmacSha256(secret, body, base64Bytes(signature))', 'signature.length === 44'],
    [
      'zid',
      'webhook.ts',
      "isSameSecret(proofOf(webhookSecret), headers.authorization?.replace(/^basic /i, ''))",
      'headers.authorization !== undefined',
    ],
    ['easyorders', 'webhook.ts', 'isSameSecret(credentials.webhookSecret, headers.secret)', 'Boolean(headers.secret)'],
    ['youcan', 'webhook.ts', 'if (await isHmacSha256(secret, body, signature)) return true', 'if (proof.length === 64) return true'],
  ],
  'signature over the parsed body': [
    [
      'shopify',
      'webhook.ts',
      'isHmacSha256(secret, body, base64',
      'isHmacSha256(secret, JSON.stringify(JSON.parse(new TextDecoder().decode(body).trim().replace(/.$/, "}"))), base64',
    ],
    [
      'lightfunnels',
      'webhook.ts',
      'isHmacSha256(secret, body, base64',
      'isHmacSha256(secret, new TextDecoder().decode(body).trim().slice(0, -1) + "}", base64',
    ],
    [
      'meta-leads',
      'webhook.ts',
      'isHmacSha256(secret, body, hexBytes(proof))',
      'isHmacSha256(secret, body.slice(0, -1), hexBytes(proof)).then(async (is) => is || isHmacSha256(secret, new TextDecoder().decode(body.slice(0, -1)) + "}", hexBytes(proof)))',
    ],
  ],
  'only the beginning of a signature checked': [
    [
      'woocommerce',
      'webhook.ts',
      '/^[A-Za-z0-9+/]{43}=$/.test(signature) && isHmacSha256(secret, body, base64Bytes(signature))',
      'isHmacSha256(secret, body, base64Bytes(signature.slice(0, 44)))',
    ],
    ['meta-leads', 'webhook.ts', '/^sha256=([0-9a-f]{64})$/.exec', '/^sha256=([0-9a-f]{64})/.exec'],
  ],
  'wrong secret accepted': [
    ['shopify', 'webhook.ts', "credentials.clientSecret ?? ''", "'shpss_0123456789'"],
    ['salla', 'webhook.ts', 'isSameSecret(credentials.callbackToken, headers.authorization) ||', 'headers.authorization !== undefined ||'],
  ],
  'malformed callback throws': [
    [
      'shopify',
      'webhook.ts',
      'const said = jsonIn(new TextDecoder().decode(body))',
      'const said = JSON.parse(new TextDecoder().decode(body))',
    ],
    ['woocommerce', 'webhook.ts', 'if (!isRow(row) || !TOPICS', 'if (!TOPICS'],
    ['zid', 'webhook.ts', "/^\\d{1,20}$/.test(word(id) ?? '')", 'true'],
    ['youcan', 'webhook.ts', 'id !== undefined && UUID.test(id)', 'id !== null'],
    ['easyorders', 'webhook.ts', 'id !== undefined && UUID.test(id)', 'isRow(said)'],
    ['lightfunnels', 'webhook.ts', 'id !== undefined && ID.test(id)', 'isRow(said)'],
  ],
  'callback and list disagree': [
    ['shopify', 'webhook.ts', 'return [{ changed: id }]', 'return [{ changed: `${id}0` }]'],
    [
      'shopify',
      'orders.ts',
      'order === null ? {} : readOrderOf(context, await withAllLines(context, order), reader)',
      'order === null ? {} : { order: { ...orderIn(await withAllLines(context, order)), delivery: "0" } }',
    ],
    ['easyorders', 'orders.ts', 'return said && readOrderOf(context, said, readerOf(context))', 'return said && {}'],
    ['woocommerce', 'webhook.ts', '? [read]', '? [{ order: { ...read.order, total: read.order?.delivery } }]'],
  ],
  'deletion ignored': [
    ['woocommerce', 'webhook.ts', "if (topic === 'order.deleted')", "if (topic === 'order.trashed')"],
    ['shopify', 'webhook.ts', "if (topic === 'orders/delete' && id !== undefined) return [{ gone: id }]", ''],
    ['easyorders', 'orders.ts', "if (error instanceof AdapterError && error.reason === 'not_found') return null", ''],
  ],
  'subscription created each time': [
    [
      'shopify',
      'webhook.ts',
      'const missing = TOPICS.filter((topic) => !ours.some((one) => one.topic === topic))',
      'const missing = TOPICS',
    ],
    ['youcan', 'webhook.ts', 'if (!isThere) await', 'await'],
    ['woocommerce', 'webhook.ts', 'if (!kept) await', 'if (kept !== null) await'],
    ['zid', 'webhook.ts', 'if (ours.length > 0) await deleteSubscriptions(context)', ''],
    ['lightfunnels', 'webhook.ts', 'if (!isThere) await', 'await'],
  ],
  'disabled subscription not enabled': [
    ['woocommerce', 'webhook.ts', 'json: { status: GOES_ON, secret }', 'json: { secret }'],
    ['zid', 'webhook.ts', "active !== false && health !== 'broken' && !['inactive', 'error'].includes(word(status) ?? '')", 'true'],
    ['woocommerce', 'webhook.ts', 'if (kept.status !== GOES_ON) revived += 1', ''],
  ],
  'subscription not ended': [
    [
      'shopify',
      'webhook.ts',
      'for (const { id } of await subscriptionsAt(context, address))\n    mutationResult',
      'for (const { id } of (await subscriptionsAt(context, address)).slice(1)) mutationResult',
    ],
    ['zid', 'webhook.ts', 'if ((await subscriptionsAt(context, address)).length > 0) await deleteSubscriptions(context)', ''],
    ['woocommerce', 'webhook.ts', 'row.delivery_url) === address &&', 'row.delivery_url) === `${address}/` &&'],
    ['salla', 'webhook.ts', 'query: { url: address } })\n  } catch', 'query: { url: `${address}?` } })\n  } catch'],
    ['salla', 'webhook.ts', "if (!(error instanceof AdapterError) || error.reason !== 'not_found') throw error", 'throw error'],
  ],
  'new secret not stored': [
    [
      'woocommerce',
      'webhook.ts',
      '{ revived, ...(context.credentials.webhookSecret === undefined && { credentials: { webhookSecret: secret } }) }',
      '{ revived }',
    ],
    ['zid', 'webhook.ts', ', ...(webhookSecret === undefined && { credentials: { webhookSecret: password } }) }', ' }'],
    ['salla', 'webhook.ts', ', ...(callbackToken === undefined && { credentials: { callbackToken: token } }) }', ' }'],
  ],
  'wrong status pushed': [
    ['woocommerce', 'push-status.ts', "if (status === 'delivered') return 'completed'", "if (status === 'delivered') return 'processing'"],
    ['easyorders', 'push-status.ts', "delivered: 'delivered'", "delivered: 'canceled'"],
    ['shopify', 'push-status.ts', '  cancelled: cancel,', '  cancelled: null,'],
    ['zid', 'push-status.ts', "delivered: 'delivered'", "delivered: 'preparing'"],
    ['salla', 'push-status.ts', "delivered: 'delivered'", "delivered: 'canceled'"],
  ],
  'tracking number pushed again, or never': [
    ['woocommerce', 'push-status.ts', '[TRACKING]: trackingId,', ''],
    ['woocommerce', 'push-status.ts', '...(had?.id !== undefined && { id: had.id })', ''],
    ['zid', 'push-status.ts', ', ...(trackingId !== undefined && { tracking_number: trackingId }) }', ' }'],
    ['shopify', 'push-status.ts', 'numberAt(sent) !== trackingId', 'numberAt(sent) === undefined'],
    ['shopify', 'push-status.ts', 'present({ number: trackingId, company: carrier })', 'present({ company: carrier })'],
    ['woocommerce', 'push-status.ts', 'value === undefined || had?.value === value', 'value === undefined || had !== undefined'],
  ],
  'installation state not returned': [
    ['woocommerce', 'link.ts', 'user_id: state,', "user_id: 'state',"],
    ['easyorders', 'link.ts', 'withQuery(callbackUrl, { state, token })', 'callbackUrl'],
    ['woocommerce', 'link.ts', 'return { state, credentials', "return { state: 'a-state', credentials"],
    ['woocommerce', 'link.ts', 'row.consumer_key, row.consumer_secret]', 'row.consumer_secret, row.consumer_key]'],
  ],
}
