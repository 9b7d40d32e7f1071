import { describe, expect, test } from 'bun:test'
import {
  defaultColumns,
  keyHeaders,
  orderFieldHeaders,
  recognizeOrderHeaders,
} from '../../../core/connectors/sheet-export/columns/columns.ts'
import { normalizeHeader } from '../../../core/connectors/sheet-export/columns/normalize-header.ts'
import { fullNameOf } from '../../../core/connectors/shops/sheet-import/full-name.ts'
import { readRowOrder } from '../../../core/connectors/shops/sheet-import/read-row.ts'
import {
  defaultRowHeaders,
  recognizeRowHeaders,
  rowFieldHeaders,
  rowFields,
} from '../../../core/connectors/shops/sheet-import/row-fields.ts'
import { rowIdHeaders, stateHeaders } from '../../../core/connectors/shops/sheet-import/sheet-texts.ts'
import { headerLanguages } from '../../../plugins/spreadsheet/model.ts'

describe('an amount', () => {
  const rowOf = (cells: object, currency: string) =>
    readRowOrder({ name: 'row_1', cells: { products: 'Basket', ...cells } }, { currency, now: '2026-11-25T00:00:00Z' })

  test('that cannot be read is said of its row, with the two numbers that an ambiguous one can be', () => {
    expect(rowOf({ total: '2500 + 400 livraison' }, 'TND')).toMatchObject({ problem: 'amount', cell: '"2500 + 400 livraison"' })
    expect(rowOf({ total: '25.500' }, 'TND')).toMatchObject({ total: '25.5' })
    expect(rowOf({ total: '2,500' }, 'DZD')).toMatchObject({ total: '2500' })
    expect(rowOf({ total: '2 500 DA net' }, 'DZD')).toMatchObject({ total: '2500' })
    expect(rowOf({ total: '25.000' }, 'IQD')).toMatchObject({ problem: 'amount', cell: '"25.000" = 25000 / 25 ?' })
    expect(rowOf({ total: '2500 €' }, 'DZD')).toMatchObject({ problem: 'amount' })
    expect(rowOf({ total: '1234567890123' }, 'DZD')).toMatchObject({ problem: 'amount' })
  })

  test('beside it, a quantity is read in words, and one with two readings is not', () => {
    for (const quantity of ['2', '٢', '2 قطع', '2 pièces', '2,0'])
      expect([quantity, rowOf({ quantity }, 'DZD')]).toMatchObject([quantity, { items: [{ quantity: 2 }] }])
    for (const quantity of ['1,5', '0', 'deux']) expect(rowOf({ quantity }, 'DZD')).toMatchObject({ problem: 'quantity' })
    expect(rowOf({ quantity: '2.000' }, 'DZD')).toMatchObject({ problem: 'quantity', cell: '"2.000" = 2000 / 2 ?' })
  })

  test('a phone number, a reference or a sku that a spreadsheet has rounded is refused', () => {
    for (const cells of [{ phone: '2,13551E+11' }, { phoneAlt: '2.13E+11' }, { reference: '6.13E+12' }, { sku: '6.13E+12' }])
      expect(rowOf(cells, 'DZD')).toMatchObject({ problem: 'rounded' })
  })

  test('is shared out to the least that its currency has', () => {
    const of = (currency: string) => {
      const cells = { products: '3 x Basket', total: '100' }
      return readRowOrder({ name: 'row_1', cells }, { currency, now: '2026-11-25T00:00:00Z' })
    }
    expect(of('TND')).toMatchObject({ items: [{ quantity: 3, unitPrice: '33.333' }] })
    expect(of('XOF')).toMatchObject({ items: [{ quantity: 3, unitPrice: '33' }] })
  })
})

describe('headers', () => {
  const known: Readonly<Record<string, readonly string[]>> = {
    customerName: [
      ...['Nom', 'Nom du client', 'NOM CLIENT', 'Nom et prénom', 'Nom & Prénom', 'Nom complet', 'Client', 'Destinataire', 'Name'],
      ...[
        'Customer',
        'Customer name',
        'customer_name',
        'Full name',
        'الاسم',
        'اسم الزبون',
        'اسم زبون',
        'اسم العميل',
        'الزبون',
        'الإسم الكامل',
      ],
      ...['الاسم واللقب', 'Nom / الاسم'],
    ],
    firstName: ['Prénom', 'prenom', 'Prénom du client', 'First name', 'الاسم الأول'],
    lastName: ['Nom de famille', 'Last name', 'اللقب', 'لقب'],
    phone: [
      ...[
        'Téléphone',
        'telephone',
        'Tél',
        'Tél.',
        'TEL',
        'Numéro de téléphone',
        'N° téléphone',
        'Nº téléphone',
        'N° de téléphone',
        'N° Tél',
      ],
      ...['Numéro', 'Num tel', 'Téléphone du client', 'Portable', 'Mobile', 'Mobile phone', 'Phone', 'Phone number', 'Phone Number*'],
      ...['Customer Phone', 'الهاتف', 'هاتف', 'رقم الهاتف', 'رقم هاتف', 'رقم هاتف الزبون', 'الجوال', 'رقم الموبايل', 'Téléphone - الهاتف'],
    ],
    phoneAlt: ['Téléphone 2', 'Tel 2', 'Phone 2', 'WhatsApp', 'رقم الهاتف 2', 'الهاتف الثاني'],
    email: ['E-mail', 'Email', 'Adresse e-mail', 'البريد الإلكتروني', 'بريد الكتروني'],
    state: ['Wilaya', 'WILAYA', 'Wilaya / الولاية', 'Région', 'Gouvernorat', 'Governorate', 'Province', 'ولاية', 'الولاية', 'المحافظة'],
    city: ['Commune', 'Ville', 'Ville/Commune', 'City', 'Délégation', 'بلدية', 'البلدية', 'البلديه', 'المدينة', 'مدينة'],
    address: ['Adresse', 'Adresse complète', 'Adresse de livraison', 'Address', 'Full address', 'العنوان', 'عنوان', 'العنوان الكامل'],
    products: [
      ...[
        'Produit',
        'Produits',
        'Nom du produit',
        'Article',
        'Désignation',
        'Product',
        'Product Name',
        'Item',
        'المنتج',
        'المنتوج',
        'منتوج',
      ],
      ...['اسم المنتج', 'إسم المنتوج', 'السلعة'],
    ],
    sku: ['SKU', 'Code produit', 'رمز المنتج'],
    variant: ['Variante', 'Taille', 'Couleur', 'Taille/Couleur', 'Size', 'اللون', 'المقاس'],
    quantity: ['Quantité', 'QTE', 'Qté', 'Qty', 'Quantity', 'الكمية', 'كمية', 'العدد'],
    price: ['Prix', 'Prix (DA)', 'Prix unitaire', 'Price', 'Unit price', 'السعر', 'سعر', 'الثمن'],
    delivery: ['Livraison', 'Frais de livraison', 'Prix de la livraison', 'Shipping', 'Delivery fee', 'سعر التوصيل', 'ثمن التوصيل'],
    total: ['Total', 'TOTAL (DZD)', 'Montant', 'Montant total', 'Prix total', 'Total price', 'المبلغ', 'المجموع', 'السعر الإجمالي'],
    note: ['Remarque', 'Remarques', 'Note', 'Notes', 'Commentaire', 'Observation', 'ملاحظة', 'ملاحظات', 'الملاحظات'],
    status: ['Statut', 'Statut de la commande', 'État', 'Status', 'Order status', 'الحالة', 'حالة الطلب'],
    reference: ['Référence', 'N° commande', 'N° de commande', 'Order number', 'رقم الطلب'],
  }
  test.each(Object.entries(known).flatMap(([field, headers]) => headers.map((header) => [header, field] as const)))(
    '%p holds %s',
    (header, field) => {
      expect(recognizeRowHeaders([header]) as unknown).toEqual([{ header, field }])
    },
  )

  test.each([orderFieldHeaders, rowFieldHeaders])('are known by words of which none says two things', (data) => {
    const fields = new Map<string, Set<string>>()
    for (const [field, { also = [], ...ours }] of Object.entries(data))
      for (const header of [...Object.values(ours), ...also])
        fields.set(normalizeHeader(header), (fields.get(normalizeHeader(header)) ?? new Set()).add(field))
    expect([...fields].filter(([, { size }]) => size > 1)).toEqual([])
    expect(fields.has('')).toBe(false)
  })

  test('that the server writes are known to it', () => {
    for (const language of headerLanguages) {
      expect(recognizeRowHeaders(defaultRowHeaders(language)).map(({ header }) => header)).toEqual(defaultRowHeaders(language))
      expect(recognizeOrderHeaders(defaultColumns(language).map(({ header }) => header))).toEqual(defaultColumns(language))
    }
  })

  test('of columns that are the server’s own, and of nothing, hold nothing', () => {
    const own = [rowIdHeaders, stateHeaders, keyHeaders].flatMap((one) => Object.values(one))
    expect(recognizeRowHeaders([...own, '', '***', 'Nom / Téléphone', 'Ma colonne', 'Date'])).toEqual([])
    expect(recognizeOrderHeaders(own)).toEqual([])
  })

  test('of a field that stands twice the first holds it', () => {
    expect(recognizeRowHeaders(['Tel', 'Téléphone', 'Wilaya'])).toEqual([
      { header: 'Tel', field: 'phone' },
      { header: 'Wilaya', field: 'state' },
    ])
    expect(new Set(rowFields).size).toBe(rowFields.length)
  })
})

test.each([
  [{ customerName: 'Saadi', firstName: 'Lina' }, 'Lina Saadi'],
  [{ firstName: 'Lina', lastName: 'Saadi' }, 'Lina Saadi'],
  [{ customerName: 'لينا', lastName: 'سعدي' }, 'لينا سعدي'],
  [{ customerName: 'Lina Saadi', firstName: 'LINA', lastName: 'Saâdi' }, 'Lina Saadi'],
  [{ customerName: 'Lina' }, 'Lina'],
  [{}, ''],
])('parts of a name make one: %#', (cells, name) => {
  expect(fullNameOf(cells)).toBe(name)
})
