// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in details of a parcel other than its name, place and money. */
export const detailFaults: Mutations = {
  'contents or notes lost': [
    ['ecotrack', 'shipment.ts', "...(product !== '' && { produit: beginning(product, TEXT_MAX) }),", ''],
    ['ecotrack', 'shipment.ts', "...(remark !== '' && { remarque: beginning(remark, TEXT_MAX) }),", ''],
    ['maystro', 'shipment.ts', '...(notes.trim() && { note_to_driver: notes.trim() }),', ''],
    ['maystro', 'shipment.ts', 'logistical_description: contents.trim() || reference', 'logistical_description: reference'],
    ['noest', 'shipment.ts', '...(shipment.notes.trim() && { remarque: shipment.notes.trim() }),', ''],
    ['procolis', 'shipment.ts', 'contents.trim() || reference', 'reference'],
    ['yalidine', 'shipment.ts', 'product_list: shipment.contents.trim() || shipment.reference', 'product_list: shipment.reference'],
    ['zimou', 'shipment.ts', '...(notes.trim() && { observation: notes.trim() }),', ''],
    ['zrexpress', 'shipment.ts', 'written.length < descriptionMin ? reference : written', 'reference'],
  ],
  'dimension lost, or sides exchanged': [
    [
      'yalidine',
      'shipment.ts',
      'length: Math.ceil(lengthCm),\n    width: Math.ceil(widthCm),',
      'length: Math.ceil(widthCm),\n    width: Math.ceil(lengthCm),',
    ],
    ['yalidine', 'shipment.ts', 'dimensions ?? account.context.settings', 'account.context.settings'],
    [
      'zimou',
      'shipment.ts',
      'width: dimensions.widthCm, height: dimensions.heightCm',
      'width: dimensions.heightCm, height: dimensions.widthCm',
    ],
    ['zrexpress', 'shipment.ts', 'dimensions ?? settings', 'settings'],
  ],
  'omitted field not reported': [
    ['yalidine', 'shipment.ts', ', ...notesOf(shipment.notes)]', ']'],
    ['zrexpress', 'shipment.ts', ', ...notesOf(notes)]', ']'],
    [
      'maystro',
      'shipment.ts',
      '    warnings: person.warnings,\n  }\n}\n\nexport function personOf',
      '    warnings: [],\n  }\n}\n\nexport function personOf',
    ],
    ['zimou', 'shipment.ts', '{ row, warnings: [...person.warnings, ...place.warnings] }', '{ row, warnings: [...place.warnings] }'],
  ],
  'edit does not clear emptied fields': [
    ['ecotrack', 'edit.ts', "...(notes !== undefined && { remarque: '' }),", ''],
    ['maystro', 'orders.ts', '...(notes !== undefined && { note_to_driver', '...(notes && { note_to_driver'],
    ['noest', 'edit.ts', '...(notes !== undefined && { remarque', '...(notes && { remarque'],
  ],
  'read failure treated as empty': [
    ['zrexpress', 'stock.ts', "await all(context, 'products')", "await all(context, 'products').catch(() => [])"],
    [
      'ecotrack',
      'stock.ts',
      "await call(account, 'get/products/list', { query: { page } })",
      "await call(account, 'get/products/list', { query: { page } }).catch(() => ({ products: [] }))",
    ],
  ],
  'flag of a setting lost': [['ecotrack', 'shipment.ts', '...(fragile && { fragile: 1 }),', '']],
  'invalid cursor accepted': [
    ['sandbox', 'parcels.ts', 'if (query.cursor !== undefined && !/^SBX\\d{18}$/.test(query.cursor)) badCursor()', ''],
  ],
}
