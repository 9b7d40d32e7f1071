// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in sent parcels. */
export const sendFaults: Mutations = {
  'confirmation forgotten': [
    ['ecotrack', 'drafts.ts', 'if (!account.context.settings.validate) return\n  try', 'if (account) return\n  try'],
    [
      'noest',
      'drafts.ts',
      'if (!context.settings.shipAtOnce || trackingIds.length === 0) return new Set()',
      'if (context) return new Set()',
    ],
    ['noest', 'drafts.ts', 'await validateOne(context, only, TIMEOUT_MS)\n', '\n'],
    ['noest', 'parcels.ts', 'await finishDrafts(context, feeds)\n', '\n'],
    ['procolis', 'shipment.ts', 'settings.shipAtOnce ? 1 : 0', '0'],
    ['zrexpress', 'send.ts', 'context.settings.shipAtOnce ? await readyStateId(context) : undefined', 'undefined'],
    ['sandbox', 'parcels.ts', "context.settings.drafts ? 'draft' : 'submitted'", "'draft'"],
    [
      'ecotrack',
      'find.ts',
      'if (account.context.settings.validate && mayBeDraft(status)) await validateFound(account, trackingId)\n',
      '\n',
    ],
  ],
  'draft confirmed without request': [
    ['ecotrack', 'drafts.ts', 'if (!account.context.settings.validate) return\n  try', 'try'],
    ['noest', 'drafts.ts', '!context.settings.shipAtOnce || trackingIds.length', 'trackingIds.length'],
    ['procolis', 'shipment.ts', 'settings.shipAtOnce ? 1 : 0', '1'],
    ['zrexpress', 'send.ts', 'context.settings.shipAtOnce ? await readyStateId(context) : undefined', 'await readyStateId(context)'],
  ],
  'failure after a draft reported as a refusal': [
    [
      'ecotrack',
      'drafts.ts',
      'if (!isRefused(error)) throw unknownOutcome(account, trackingId, error)',
      "if (!isRefused(error)) throw new CarrierError('refused', 'It was not validated.')",
    ],
    [
      'zrexpress',
      'send.ts',
      "throw new CarrierError('unavailable', `${label} accepted the parcel",
      "throw new CarrierError('refused', `${label} accepted the parcel",
    ],
    [
      'noest',
      'drafts.ts',
      'const real = (await validateAll(context, trackingIds).catch(logProblem(context, trackingIds))) ?? new Set()',
      'const real = await validateAll(context, trackingIds)',
    ],
  ],
  'centimes sent as dinars': [
    [
      'yalidine',
      'shipment.ts',
      "price: dinars(shipment.codAmount, 'amount to collect')",
      "price: wholeDinars(shipment.codAmount, 'amount') * 100",
    ],
    [
      'ecotrack',
      'shipment.ts',
      "montant: wholeDinars(shipment.codAmount, 'amount to collect')",
      "montant: wholeDinars(shipment.codAmount, 'amount to collect') * 100",
    ],
    [
      'maystro',
      'shipment.ts',
      "product_price: wholeDinars(codAmount, 'amount to collect')",
      "product_price: wholeDinars(codAmount, 'amount to collect') * 100",
    ],
    [
      'procolis',
      'shipment.ts',
      "Total: String(wholeDinars(shipment.codAmount, 'amount to collect'))",
      "Total: String(wholeDinars(shipment.codAmount, 'amount to collect') * 100)",
    ],
    ['zrexpress', 'shipment.ts', 'const amount = amountOf(codAmount)', 'const amount = amountOf(codAmount) * 100'],
  ],
  'dinars divided by 100': [
    [
      'yalidine',
      'shipment.ts',
      "price: dinars(shipment.codAmount, 'amount to collect')",
      "price: Math.round(dinars(shipment.codAmount, 'amount') / 100)",
    ],
    [
      'noest',
      'shipment.ts',
      "montant: wholeDinars(shipment.codAmount, 'amount to collect')",
      "montant: Math.round(wholeDinars(shipment.codAmount, 'amount') / 100)",
    ],
    [
      'zimou',
      'shipment.ts',
      "price: String(wholeDinars(shipment.codAmount, 'amount to collect'))",
      "price: String(Math.round(wholeDinars(shipment.codAmount, 'amount') / 100))",
    ],
  ],
  'amount rounded': [
    ['ecotrack', 'shipment.ts', 'montant: wholeDinars(shipment.codAmount,', 'montant: wholeDinars(Math.round(shipment.codAmount),'],
    ['maystro', 'shipment.ts', 'product_price: wholeDinars(codAmount,', 'product_price: wholeDinars(Math.floor(codAmount),'],
    ['zimou', 'shipment.ts', 'price: String(wholeDinars(shipment.codAmount,', 'price: String(wholeDinars(Math.ceil(shipment.codAmount),'],
    [
      'zrexpress',
      'shipment.ts',
      "wholeDinars(amount, 'amount to collect', codMax)",
      "wholeDinars(Math.round(amount), 'amount to collect', codMax)",
    ],
  ],
  'maximum amount ignored': [
    ['yalidine', 'shipment.ts', 'wholeDinars(amount, what, codMax)', 'Math.min(wholeDinars(amount, what), codMax)'],
    [
      'zrexpress',
      'shipment.ts',
      "wholeDinars(amount, 'amount to collect', codMax)",
      "Math.min(wholeDinars(amount, 'amount to collect'), codMax)",
    ],
  ],
  'unknown commune replaced by the first': [
    [
      'yalidine',
      'shipment.ts',
      'named(communes, cityName, `commune of ${wilaya.name}`)',
      '(communes.find(({ name }) => name === cityName) ?? communes[0]!)',
    ],
    [
      'ecotrack',
      'geography.ts',
      'named(await communesOf(account, wilaya.id), name, `commune of ${wilaya.name}`)',
      '((all) => all.find((one) => one.name === name) ?? all[0]!)(await communesOf(account, wilaya.id))',
    ],
    [
      'maystro',
      'geography.ts',
      'return named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)',
      'const all = await communesOf(context, wilaya.id)\n  return all.find(({ name }) => name === cityName) ?? all[0]!',
    ],
    [
      'noest',
      'shipment.ts',
      'named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)',
      '((all) => all.find((one) => one.name === cityName) ?? all[0]!)(await communesOf(context, wilaya.id))',
    ],
    [
      'zimou',
      'shipment.ts',
      'named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)',
      '((all) => all.find((one) => one.name === cityName) ?? all[0]!)(await communesOf(context, wilaya.id))',
    ],
    [
      'zrexpress',
      'shipment.ts',
      'named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)',
      '((all) => all.find((one) => one.name === cityName) ?? all[0]!)(await communesOf(context, wilaya.id))',
    ],
    ['procolis', 'shipment.ts', 'Commune: cityName.trim()', "Commune: cityName === 'Oran' ? 'Oran' : 'Es Senia'"],
  ],
  'first commune always used': [
    ['yalidine', 'shipment.ts', 'named(communes, cityName, `commune of ${wilaya.name}`)', 'communes[0]!'],
    [
      'noest',
      'shipment.ts',
      'named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)',
      '(await communesOf(context, wilaya.id))[0]!',
    ],
  ],
  'unknown centre replaced by the first': [
    [
      'ecotrack',
      'geography.ts',
      'const found = candidates.find(isNamed) ?? candidates[0]',
      'const found = candidates.find(isNamed) ?? candidates[0] ?? desks[0]',
    ],
    [
      'noest',
      'shipment.ts',
      "const desk = await chosenDesk(\n    pickupId,\n    'desk',\n    () => desksOf(context, wilayaId),\n    ({ code }) => code,\n  )",
      'const [desk] = (await desksOf(context, wilayaId)) as [Desk]',
    ],
    [
      'zrexpress',
      'hubs.ts',
      "const hub = await chosenDesk(\n    pickupId,\n    'hub',\n    () => hubsOf(context, wilaya.id),\n    ({ id }) => id,\n  )",
      'const all = await hubsOf(context, wilaya.id)\n  const hub = all.find(({ id }) => id === pickupId) ?? all[0]!',
    ],
  ],
  'unknown state replaced by another': [
    [
      'yalidine',
      'geography.ts',
      'return wilayaAmong(await wilayasOf(account), stateCode, stateName)',
      'const all = await wilayasOf(account)\n  return all.find(({ id }) => id === Number(stateCode)) ?? all[0]!',
    ],
    [
      'zimou',
      'geography.ts',
      'return wilayaAmong(await wilayasOf(context), stateCode, stateName)',
      'const all = await wilayasOf(context)\n  return all.find(({ id }) => id === Number(stateCode)) ?? all[0]!',
    ],
    [
      'maystro',
      'geography.ts',
      "found && others.length === 0 ? found : named(wilayas, names[0] ?? stateCode, 'wilaya')",
      'found ?? wilayas[0]!',
    ],
  ],
  'origin and destination state exchanged': [
    [
      'yalidine',
      'shipment.ts',
      'from_wilaya_name: from.name,\n      ...person.row,\n      ...place.row,',
      '...place.row,\n      from_wilaya_name: place.row.to_wilaya_name!,\n      ...person.row,\n      to_wilaya_name: from.name,',
    ],
    ['procolis', 'shipment.ts', 'return stateCode\n', "return '16'\n"],
  ],
  'home delivery for a centre': [
    [
      'yalidine',
      'shipment.ts',
      "deliveryType === 'pickup' ? deskOf(account, destination, wilaya.id) : homeOf",
      'deliveryType ? homeOf(account, destination, wilaya) : homeOf',
    ],
    ['ecotrack', 'shipment.ts', 'stop_desk: isDesk ? 1 : 0', 'stop_desk: 0'],
    ['maystro', 'shipment.ts', "return deliveryType === 'pickup' ? stopDesk! : home!", 'return deliveryType ? home! : stopDesk!'],
    ['noest', 'shipment.ts', "if (deliveryType === 'pickup') return deskPlace(context, destination, wilaya.id)\n", '\n'],
    ['procolis', 'shipment.ts', 'TypeLivraison: isDesk ? 1 : 0', 'TypeLivraison: 0'],
    [
      'zimou',
      'shipment.ts',
      "deliveryType === 'pickup' ? officeOf(context, destination, wilaya) : homeOf",
      'deliveryType ? homeOf(context, destination, wilaya) : homeOf',
    ],
    ['zrexpress', 'shipment.ts', "deliveryType: 'pickup-point', hubId, warnings", "deliveryType: 'home', warnings"],
  ],
  'centre for a home delivery': [
    ['procolis', 'shipment.ts', 'TypeLivraison: isDesk ? 1 : 0', 'TypeLivraison: 1'],
    ['maystro', 'shipment.ts', '[0, 1] : [1, 2]', '[1, 0] : [2, 1]'],
  ],
  'kilograms and grams exchanged': [
    ['zimou', 'shipment.ts', "settings.weightUnit === 'g' ? Math.round(weightKg * 1000) : weightKg", 'weightKg'],
    ['zimou', 'shipment.ts', "settings.weightUnit === 'g' ? Math.round(weightKg * 1000) : weightKg", 'Math.round(weightKg * 1000)'],
    ['yalidine', 'shipment.ts', 'weight: kilograms(account, weightKg),', 'weight: kilograms(account, weightKg / 1000),'],
    ['noest', 'shipment.ts', 'poids: kilograms(context, shipment.weightKg)', 'poids: kilograms(context, shipment.weightKg * 1000)'],
    ['zrexpress', 'shipment.ts', 'const weight = weightKg || settings.weightKg', 'const weight = (weightKg || settings.weightKg) * 1000'],
    ['ecotrack', 'shipment.ts', 'weight: Math.ceil(shipment.weightKg)', 'weight: Math.ceil(shipment.weightKg * 1000)'],
  ],
  'weight rounded down or left out': [
    [
      'yalidine',
      'shipment.ts',
      'Math.max(1, Math.ceil(weightKg || account.context.settings.weightKg))',
      'Math.max(1, Math.floor(weightKg || account.context.settings.weightKg))',
    ],
    ['noest', 'shipment.ts', 'Math.max(1, Math.ceil(weightKg || settings.weightKg))', 'Math.max(1, Math.ceil(settings.weightKg))'],
    ['zrexpress', 'shipment.ts', 'const weight = weightKg || settings.weightKg', 'const weight = settings.weightKg'],
  ],
  'second phone sent as the first': [
    ['yalidine', 'shipment.ts', "[first, ...others].join(',')", "[...others, first].join(',')"],
    [
      'ecotrack',
      'shipment.ts',
      'telephone: first, ...(second !== undefined && { telephone_2: second })',
      'telephone: second ?? first, ...(second !== undefined && { telephone_2: first })',
    ],
    ['maystro', 'shipment.ts', 'customer_phone: first', 'customer_phone: others[0] ?? first'],
    ['noest', 'shipment.ts', 'phone: person.phone,\n', 'phone: person.phone2 ?? person.phone,\n'],
    ['procolis', 'shipment.ts', 'MobileA: first', 'MobileA: second ?? first'],
    ['zimou', 'shipment.ts', 'client_phone: first', 'client_phone: second ?? first'],
    ['zrexpress', 'shipment.ts', 'number1: internationalPhone(first)', 'number1: internationalPhone(second ?? first)'],
  ],
  'second phone left out': [
    ['yalidine', 'shipment.ts', "[first, ...others].join(',')", 'first'],
    ['ecotrack', 'shipment.ts', '...(second !== undefined && { telephone_2: second })', ''],
    ['zimou', 'shipment.ts', '...(second !== undefined && { client_phone2: second }),\n', '\n'],
    ['procolis', 'shipment.ts', ', ...(second !== undefined && { MobileB: second })', ''],
  ],
  'part of a name lost': [
    ['yalidine', 'shipment.ts', 'familyname: names.rest', 'familyname: names.first'],
    ['zimou', 'shipment.ts', 'client_last_name: names.rest', "client_last_name: '-'"],
    ['maystro', 'shipment.ts', 'customer_name: nameOf(recipient)', "customer_name: nameOf(recipient).split(' ')[0]!"],
  ],
  'address left out': [
    ['yalidine', 'shipment.ts', 'address: address.trim() || commune', 'address: commune'],
    [
      'noest',
      'shipment.ts',
      "commune: commune.name, address: boundedText(address.trim() || commune.name, 'address')",
      "commune: commune.name, address: boundedText(commune.name, 'address')",
    ],
    ['zrexpress', 'shipment.ts', 'address.trim() || commune.name), deliveryType', 'commune.name), deliveryType'],
  ],
  'declared value lost': [
    [
      'yalidine',
      'shipment.ts',
      "declared_value: dinars(shipment.declaredValue, 'declared value')",
      "declared_value: dinars(shipment.codAmount, 'declared value')",
    ],
    ['zrexpress', 'shipment.ts', 'unitPrice: declaredValue', 'unitPrice: 0'],
  ],
  'delivery charged twice': [
    ['yalidine', 'shipment.ts', 'freeshipping: settings.freeShipping', 'freeshipping: !settings.freeShipping'],
    ['zimou', 'shipment.ts', 'free_delivery: String(freeDelivery)', 'free_delivery: String(!freeDelivery)'],
  ],
  'bulk results mixed up': [
    [
      'ecotrack',
      'send.ts',
      'some.map((order, index) => rowOutcome(account, order, results[at + index]))',
      'some.map((order, index) => rowOutcome(account, order, results[results.length - 1 - at - index]))',
    ],
    [
      'noest',
      'send.ts',
      'outcomes.set(reference, { reference, sent })\n  }',
      'outcomes.set(reference, { reference, sent: sentOf(passed[0]!)! })\n  }',
    ],
    ['yalidine', 'send.ts', 'const answer = await create(account, ready)\n', 'const answer = await create(account, ready.slice(0, 1))\n'],
  ],
}
