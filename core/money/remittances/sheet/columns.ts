import { foldWords } from '../../../http/table/decode-text.ts'

const sheetFields = ['tracking', 'reference', 'amount', 'fee', 'net'] as const
/** Field of a remittance line that a sheet can have a column for. */
export type SheetField = (typeof sheetFields)[number]

/** Heading of each field's column. */
export type SheetColumns = { readonly [F in SheetField]?: string }

/** Headings that carriers use, in French, English and Arabic. The first one names the field in documentation. */
const headings: Readonly<Record<SheetField, readonly string[]>> = {
  tracking: [
    ...['tracking', 'tracking number', 'numéro de suivi', 'n° de suivi', 'suivi', 'code de suivi', 'code suivi', 'code colis', 'n° colis'],
    ...['numéro colis', 'num colis', 'id colis', 'colis', 'code barre', 'code à barres', 'barcode', 'bordereau', 'n° bordereau', 'awb'],
    ...['n° expédition', 'expédition', 'shipment', 'shipment number', 'parcel', 'parcel id', 'parcel number', 'waybill'],
    ...['رقم التتبع', 'كود التتبع', 'رمز التتبع', 'التتبع', 'رقم الطرد', 'الطرد', 'رقم الشحنة', 'الشحنة', 'رقم البوليصة'],
  ],
  reference: [
    ...['reference', 'référence', 'ref', 'réf client', 'référence client', 'référence commande', 'n° commande', 'numéro commande'],
    ...['numéro de commande', 'id commande', 'commande', 'order', 'order id', 'order number', 'order reference', 'client reference'],
    ...['رقم الطلب', 'رقم الطلبية', 'الطلب', 'الطلبية', 'المرجع'],
  ],
  amount: [
    ...['amount', 'montant', 'montant colis', 'montant encaissé', 'montant cod', 'montant à encaisser', 'montant recouvré', 'encaissé'],
    ...[
      'encaissement',
      'recouvrement',
      'cod',
      'cod amount',
      'contre remboursement',
      'crbt',
      'prix',
      'prix colis',
      'prix de vente',
      'valeur',
    ],
    ...[
      'collected',
      'collected amount',
      'cash collected',
      'cash',
      'price',
      'المبلغ',
      'مبلغ التحصيل',
      'المبلغ المحصل',
      'التحصيل',
      'السعر',
      'الثمن',
    ],
  ],
  fee: [
    ...[
      'fee',
      'frais',
      'frais livraison',
      'frais de livraison',
      'total frais',
      'tarif',
      'tarif livraison',
      'tarif de livraison',
      'prestation',
    ],
    ...['frais prestation', 'commission', 'fees', 'delivery fee', 'delivery fees', 'shipping', 'shipping fee', 'charges', 'deduction'],
    ...['رسوم', 'الرسوم', 'رسوم التوصيل', 'رسوم الشحن', 'مصاريف التوصيل', 'سعر التوصيل', 'تكلفة التوصيل', 'العمولة'],
  ],
  net: [
    ...[
      'net',
      'net à payer',
      'net à verser',
      'montant net',
      'net à reverser',
      'à verser',
      'à reverser',
      'montant versé',
      'montant à verser',
    ],
    ...['versement', 'total à payer', 'total net', 'net amount', 'net paid', 'net payable', 'payout', 'paid', 'remitted'],
    ...['الصافي', 'صافي', 'المبلغ الصافي', 'صافي المبلغ', 'المبلغ المدفوع'],
  ],
}

/** Order in which headings that only contain a known name are matched: "montant net (DA)" is a net, not an amount. */
const matchingOrder: readonly SheetField[] = ['net', 'fee', 'tracking', 'reference', 'amount']

const descriptions: Readonly<Record<SheetField, string>> = {
  tracking: "The carrier's tracking number. Format the column as text.",
  reference: 'Your reference of the order, where there is no tracking number.',
  amount: 'What the carrier collected, in its currency.',
  fee: 'What it keeps of that.',
  net: 'What it pays.',
}

/** Columns of a remittance sheet as the API describes them. A sheet needs tracking or reference, and amount or net. */
export const documentedColumns = sheetFields.map((field) => ({
  column: field,
  headings: [...headings[field]],
  description: descriptions[field],
  required: field !== 'fee',
}))

const knownNames = Object.fromEntries(sheetFields.map((field) => [field, headings[field].map(foldWords)])) as Record<SheetField, string[]>

/** Index of each field's column in a row of headings. */
export type ColumnPositions = { readonly [F in SheetField]?: number }

/** Headings that contain a known name but describe something else, such as a date or a count. */
const OTHER_DATA = /^(?:date|heure|nombre|nb|nbr|statut|status|etat|type|poids|weight|quantite|عدد|تاريخ|حالة|وزن)(?: |$)/u
const amountWords = knownNames.amount.filter((name) => !name.includes(' '))

/** Recognizes headings of other data: "Date encaissement" is not an amount, and "montant du colis" is not a parcel. */
const isOtherData = (heading: string, field: SheetField) =>
  OTHER_DATA.test(heading) ||
  ((field === 'tracking' || field === 'reference') && heading.split(' ').some((word) => amountWords.includes(word)))

/** Guesses the columns from a row of headings: first by an exact match with a known name, then by all words of one. */
export function guessColumnPositions(row: readonly string[]): ColumnPositions {
  const folded = row.map(foldWords)
  const found: { -readonly [F in SheetField]?: number } = {}
  const claim = (field: SheetField, fits: (heading: string, name: string) => boolean) => {
    if (found[field] !== undefined) return
    const mapped = Object.values(found)
    const at = folded.findIndex(
      (heading, column) => heading && !mapped.includes(column) && knownNames[field].some((name) => fits(heading, name)),
    )
    if (at >= 0) found[field] = at
  }
  for (const field of matchingOrder) claim(field, (heading, name) => heading === name)
  for (const field of matchingOrder) claim(field, (heading, name) => ` ${heading} `.includes(` ${name} `) && !isOtherData(heading, field))
  return found
}

/** Finds the columns with these headings in a row. Leaves out headings that the row does not have. */
export function findColumnPositions(row: readonly string[], columns: SheetColumns): ColumnPositions {
  const folded = row.map(foldWords)
  const found = Object.entries(columns).map(([field, heading]) => [field, folded.indexOf(foldWords(heading))] as const)
  return Object.fromEntries(found.filter(([, at]) => at >= 0)) as ColumnPositions
}

/** Lists descriptions of the required fields that are missing. */
export function describeMissingFields({ tracking, reference, amount, net }: Readonly<Partial<Record<SheetField, unknown>>>): string[] {
  return [
    ...(tracking === undefined && reference === undefined ? ['the tracking number (tracking) or your reference (reference)'] : []),
    ...(amount === undefined && net === undefined ? ['what was collected (amount) or what is paid of it (net)'] : []),
  ]
}
