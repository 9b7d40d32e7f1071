import { describe, expect, test } from 'bun:test'
import { amountWritten } from '../../../core/sales/channels/rows/amounts.ts'
import { recognisedInRows, rowFields, rowWords, usualHeaders } from '../../../core/sales/channels/rows/fields.ts'
import { nameIn } from '../../../core/sales/channels/rows/names.ts'
import { readRow } from '../../../core/sales/channels/rows/read-row.ts'
import { nameHeaders, stateHeaders } from '../../../core/sales/channels/rows/words.ts'
import { keyHeaders, recognised, usualColumns, words } from '../../../core/sales/sheets/columns.ts'
import { headerWords } from '../../../core/sales/sheets/header-words.ts'
import { headerLanguages } from '../../../plugins/spreadsheet/model.ts'

describe('an amount', () => {
  test.each([
    ['2 500 DA', 'DZD', '2500'],
    ['DZD 2500', 'DZD', '2500'],
    ['2.500,50', 'DZD', '2500.5'],
    ['2,500.50', 'DZD', '2500.5'],
    ['2,5', 'DZD', '2.5'],
    ['1.250.000', 'DZD', '1250000'],
    ['1 250 000,50 د.ج', 'DZD', '1250000.5'],
    ['1,25,000', 'INR', '125000'],
    ['2.500', 'DZD', '2500'],
    ['2500.400', 'DZD', '2500.4'],
    ['0.500', 'DZD', '0.5'],
    ["2'500", 'DZD', '2500'],
    ['2\u202f500\u00a0DA', 'DZD', '2500'],
    ['\u200f٢٥٠٠ دج', 'DZD', '2500'],
    ['٢٬٥٠٠٫٥', 'DZD', '2500.5'],
    ['5400.-', 'DZD', '5400'],
    ['25.500', 'TND', '25.5'],
    ['25,500 DT', 'TND', '25.5'],
    ['1.250,500', 'TND', '1250.5'],
    ['1 250.750 د.ت', 'TND', '1250.75'],
    ['1.250.000', 'TND', '1250000'],
  ])('%p of %s is %s', (written, currency, amount) => {
    expect(amountWritten(written, currency)).toBe(amount)
  })

  test.each([
    ...['free', '', '-5', '- 5', '12-34', '1e9', '2500 + 400 livraison', '2500 + livraison', '5400 DA / 2', '2x2500', '2 × 2500', '3*900'],
    ...['2500 400', '25 00', '2500, 400', '25.11.2026', '12.5.3', '10%', '2500 DA (2 pcs)', '(500)', '=2500', '1234567890123'],
  ])('%p is none', (written) => {
    expect(amountWritten(written, 'DZD')).toBeUndefined()
  })

  test('that cannot be read is said of its row', () => {
    const of = (total: string) =>
      readRow({ name: 'row_1', cells: { products: 'Basket', total } }, { currency: 'TND', now: '2026-11-25T00:00:00Z' })
    expect(of('2500 + 400 livraison')).toBe('amount')
    expect(of('25.500')).toMatchObject({ total: '25.5' })
  })

  test('is shared out to the least that its currency has', () => {
    const of = (currency: string) => {
      const cells = { products: '3 x Basket', total: '100' }
      return readRow({ name: 'row_1', cells }, { currency, now: '2026-11-25T00:00:00Z' })
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
      expect(recognisedInRows([header]) as unknown).toEqual([{ header, field }])
    },
  )

  test.each([words, rowWords])('are known by words of which none says two things', (data) => {
    const fields = new Map<string, Set<string>>()
    for (const [field, { also = [], ...ours }] of Object.entries(data))
      for (const header of [...Object.values(ours), ...also])
        fields.set(headerWords(header), (fields.get(headerWords(header)) ?? new Set()).add(field))
    expect([...fields].filter(([, { size }]) => size > 1)).toEqual([])
    expect(fields.has('')).toBe(false)
  })

  test('that the server writes are known to it', () => {
    for (const language of headerLanguages) {
      expect(recognisedInRows(usualHeaders(language)).map(({ header }) => header)).toEqual(usualHeaders(language))
      expect(recognised(usualColumns(language).map(({ header }) => header))).toEqual(usualColumns(language))
    }
  })

  test('of columns that are the server’s own, and of nothing, hold nothing', () => {
    const own = [nameHeaders, stateHeaders, keyHeaders].flatMap((one) => Object.values(one))
    expect(recognisedInRows([...own, '', '***', 'Nom / Téléphone', 'Ma colonne', 'Date'])).toEqual([])
    expect(recognised(own)).toEqual([])
  })

  test('of a field that stands twice the first holds it', () => {
    expect(recognisedInRows(['Tel', 'Téléphone', 'Wilaya'])).toEqual([
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
  expect(nameIn(cells)).toBe(name)
})
