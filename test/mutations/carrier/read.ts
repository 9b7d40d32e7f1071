// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in reading answers. */
export const readFaults: Mutations = {
  'time zone ignored': [
    ['yalidine', 'parcels.ts', 'zoned(value, settings.utcOffset)', "zoned(value, '+00:00')"],
    ['yalidine', 'webhook.ts', 'instant(context, event.occurred_at)', 'new Date(`${text(event.occurred_at)}Z`).toISOString()'],
    ['ecotrack', 'parcels.ts', '.trim(), settings.utcOffset)', ".trim(), '+00:00')"],
    ['ecotrack', 'webhook.ts', 'instant(event.occurred_at, settings.utcOffset)', "instant(event.occurred_at, '+00:00')"],
    ['ecotrack', 'orders.ts', 'instant(row.created_at, context.settings.utcOffset)', "instant(row.created_at, '+00:00')"],
    ['noest', 'feed.ts', 'instant(event.date, settings.utcOffset)', "instant(event.date, '+00:00')"],
    ['procolis', 'track.ts', 'instant(value, settings.utcOffset)', "instant(value, '+00:00')"],
  ],
  'time zone offset reversed': [
    ['yalidine', 'parcels.ts', 'zoned(value, settings.utcOffset)', "zoned(value, '-01:00')"],
    ['noest', 'feed.ts', 'instant(event.date, settings.utcOffset)', "instant(event.date, '-01:00')"],
    ['zrexpress', 'parcels.ts', 'instant(value, settings.utcOffset)', "instant(String(value).replace('Z', ''), '+01:00')"],
  ],
  "time of reading used instead of the carrier's": [
    [
      'yalidine',
      'parcels.ts',
      'const at = instant(context, row.date_last_status) ?? instant(context, row.date_creation)',
      'const at = new Date(context.now() + 86_400_000).toISOString()',
    ],
    ['maystro', 'webhook.ts', "instant(message.publishTime ?? message.publish_time, '+00:00') ?? new Date", 'new Date'],
    ['procolis', 'track.ts', 'const at = timeIn(context, row.DateH_Action) ?? (await', 'const at = (await'],
  ],
  'amounts read 100 times too large': [
    ['yalidine', 'parcels.ts', 'codAmount: amount(row.price)', 'codAmount: (amount(row.price) ?? 0) * 100'],
    ['ecotrack', 'orders.ts', 'codAmount: amount(row.montant)', 'codAmount: (amount(row.montant) ?? 0) * 100'],
    ['maystro', 'parcels.ts', 'codAmount: amount(order.product_price)', 'codAmount: (amount(order.product_price) ?? 0) * 100'],
    ['noest', 'parcels.ts', 'codAmount: amount(order.montant)', 'codAmount: (amount(order.montant) ?? 0) / 100'],
    ['zrexpress', 'parcels.ts', 'codAmount: amount(row.amount)', 'codAmount: (amount(row.amount) ?? 0) / 100'],
  ],
  'parcel fees 100 times too large': [
    ['yalidine', 'parcels.ts', 'deliveryFee: amount(row.delivery_fee)', 'deliveryFee: (amount(row.delivery_fee) ?? 0) * 100'],
    ['ecotrack', 'orders.ts', 'deliveryFee: amount(row.tarif_prestation)', 'deliveryFee: (amount(row.tarif_prestation) ?? 0) * 100'],
    ['zimou', 'track.ts', 'deliveryFee: amount(row.delivery_price)', 'deliveryFee: (amount(row.delivery_price) ?? 0) / 100'],
  ],
  'tariffs 100 times too large': [
    [
      'yalidine',
      'tariffs.ts',
      '[number(row.express_home) ?? null, number(row.express_desk) ?? null]',
      '[(number(row.express_home) ?? 0) * 100, (number(row.express_desk) ?? 0) * 100]',
    ],
    ['ecotrack', 'tariffs.ts', "=== 'centimes' ? 100 : 1", "=== 'centimes' ? 1 : 0.01"],
    [
      'maystro',
      'tariffs.ts',
      "const price = number(rowOf(answer, 'no price').delivery_price)",
      "const price = (number(rowOf(answer, 'no price').delivery_price) ?? 0) * 100",
    ],
    [
      'noest',
      'tariffs.ts',
      'const price = (value: unknown) => number(value) ?? null',
      'const price = (value: unknown) => (number(value) ?? 0) * 100',
    ],
    ['procolis', 'tariffs.ts', 'const price = number(value) ?? 0\n', 'const price = (number(value) ?? 0) * 100\n'],
    [
      'zimou',
      'tariffs.ts',
      'const price = number(row[context.settings.priceColumn]) ?? 0',
      'const price = (number(row[context.settings.priceColumn]) ?? 0) * 100',
    ],
    [
      'zrexpress',
      'tariffs.ts',
      '.find((found) => found !== undefined && found > 0) ?? amount(price)',
      '.map((found) => found && found * 100).find((found) => found) ?? amount(price)',
    ],
    ['sandbox', 'pricing.ts', '2: { home: 600, pickup: 400 }', '2: { home: 60_000, pickup: 40_000 }'],
  ],
  'tariffs of home and centre exchanged': [
    [
      'noest',
      'tariffs.ts',
      'home: price(row.tarif), pickup: price(row.tarif_stopdesk)',
      'home: price(row.tarif_stopdesk), pickup: price(row.tarif)',
    ],
    [
      'procolis',
      'tariffs.ts',
      'home: priceIn(row.Domicile), pickup: priceIn(row.Stopdesk)',
      'home: priceIn(row.Stopdesk), pickup: priceIn(row.Domicile)',
    ],
    [
      'zrexpress',
      'tariffs.ts',
      "home: byType.get('home'), pickup: byType.get('pickup-point')",
      "home: byType.get('pickup-point'), pickup: byType.get('home')",
    ],
  ],
  'return read as a delivery': [
    ['yalidine', 'statuses.ts', "'Retourné au vendeur': 'returned'", "'Retourné au vendeur': { status: 'delivered', cash: 'collected' }"],
    ['ecotrack', 'statuses.ts', "retour_recu: 'returned'", "retour_recu: 'delivered'"],
    ['maystro', 'statuses.ts', "'52': 'returned'", "'52': 'delivered'"],
    ['noest', 'statuses.ts', "return_validated_by_partener: 'returned'", "return_validated_by_partener: 'delivered'"],
    ['procolis', 'statuses.ts', "'Retour Stock': 'returned'", "'Retour Stock': 'delivered'"],
    ['zimou', 'statuses.ts', "'20 RETOURNEE AU VENDEUR (SAC)': 'returned'", "'20 RETOURNEE AU VENDEUR (SAC)': 'delivered'"],
    ['zrexpress', 'statuses.ts', "recupere_par_fournisseur: 'returned'", "recupere_par_fournisseur: 'delivered'"],
    ['sandbox', 'index.ts', "returned: 'returned'", "returned: 'delivered'"],
  ],
  'return in progress read as finished': [
    ['yalidine', 'statuses.ts', "'Retour vers centre': 'returning'", "'Retour vers centre': 'returned'"],
    ['ecotrack', 'statuses.ts', "  retour_en_traitement: 'returning'", "  retour_en_traitement: 'returned'"],
    ['zimou', 'statuses.ts', "'16 RETOUR VERS CENTRE': 'returning'", "'16 RETOUR VERS CENTRE': 'returned'"],
  ],
  'failed attempt read as a delivery': [
    ['yalidine', 'statuses.ts', "'Tentative échouée': 'delivery_failed'", "'Tentative échouée': 'delivered'"],
    ['maystro', 'statuses.ts', "'32': 'delivery_failed'", "'32': 'delivered'"],
    ['zimou', 'statuses.ts', "'14 TENTATIVE ÉCHOUÉE 2': 'delivery_failed'", "'14 TENTATIVE ÉCHOUÉE 2': 'delivered'"],
    ['procolis', 'statuses.ts', "  'Appel sans Réponse 2': 'delivery_failed'", "  'Appel sans Réponse 2': 'delivered'"],
  ],
  'money reported as paid too early': [
    ['ecotrack', 'statuses.ts', '  encaisse_non_paye: collected', '  encaisse_non_paye: paidOut'],
    [
      'procolis',
      'statuses.ts',
      "'Livrée [ Encaisser ]': { status: 'delivered', cash: 'collected' }",
      "'Livrée [ Encaisser ]': { status: 'delivered', cash: 'paid_out' }",
    ],
    [
      'zrexpress',
      'statuses.ts',
      "encaisse: { status: 'delivered', cash: 'collected' }",
      "encaisse: { status: 'delivered', cash: 'paid_out' }",
    ],
  ],
  'unknown status guessed': [
    [
      'yalidine',
      'parcels.ts',
      'const [trackingId, carrierStatus] = [text(row.tracking), text(row.last_status)]',
      "const [trackingId, said] = [text(row.tracking), text(row.last_status)]\n  const carrierStatus = said?.startsWith('Mangé') ? 'En transit' : said",
    ],
    [
      'noest',
      'parcels.ts',
      'carrierStatus: now.key, at: now.at',
      "carrierStatus: isDelivery(now.key) && /chevre/.test(now.key) ? 'upload' : now.key, at: now.at",
    ],
  ],
  'list ends after its first page': [
    ['yalidine', 'parcels.ts', 'nextCursor: found.hasMore ? String(at + 1) : null', 'nextCursor: null'],
    [
      'ecotrack',
      'orders.ts',
      'if (first + query.limit < found.rows.length) return { rows, nextCursor: `${number}.${first + query.limit}` }\n',
      '\n',
    ],
    ['zrexpress', 'parcels.ts', 'nextCursor: page.hasNext ? String(pageNumber + 1) : null', 'nextCursor: null'],
  ],
  'unreadable answer read as empty': [
    [
      'ecotrack',
      'api.ts',
      "if (value === undefined) throw unreadable(account.company.label, 'no JSON')",
      'if (value === undefined) return { data: [] }',
    ],
    [
      'yalidine',
      'api.ts',
      "if (answer.value === undefined) throw unreadable(account, 'no JSON')",
      'if (answer.value === undefined) return { data: [] }',
    ],
    ['noest', 'api.ts', "if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')", 'if (!isRow(answer.value)) return {}'],
  ],
  'wrong money of a tracked parcel': [
    [
      'yalidine',
      'parcels.ts',
      "amount: status === 'none' ? undefined : amount(row.price)",
      "amount: status === 'none' ? undefined : (amount(row.price) ?? 0) * 100",
    ],
    ['yalidine', 'parcels.ts', '? amount(row.delivery_fee) : undefined', '? (amount(row.delivery_fee) ?? 0) / 100 : undefined'],
    [
      'sandbox',
      'cash.ts',
      'const money = { amount: parcel.shipment.codAmount, fee: parcel.fee }',
      'const money = { amount: parcel.shipment.codAmount * 100, fee: parcel.fee }',
    ],
  ],
  'wrong payouts': [
    ['yalidine', 'money.ts', 'amount: price, status: cash.status', 'amount: price * 100, status: cash.status'],
    ['ecotrack', 'money.ts', 'amount: collected, status', 'amount: collected / 100, status'],
    ['zrexpress', 'money.ts', 'sum + Math.round(part * 100), 0) / 100', 'sum + Math.round(part * 100), 0)'],
    ['sandbox', 'cash.ts', 'amount: total(lines)', 'amount: total(lines) - lines.length'],
    ['ecotrack', 'money.ts', "payoutId === undefined && status !== 'paid_out'", "status !== 'paid_out'"],
  ],
}
