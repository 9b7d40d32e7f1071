import { columnHeaders } from '../../../platform/geo/countries/index.ts'
import type { SheetColumn, SheetForm } from '../../imports/sheet-form.ts'

/** Columns of a product sheet, in the order of an export, with the headings that people use for them in French, Arabic and English. */
const definitions = {
  slug: {
    isNumeric: true,
    headings: ['handle', 'permalien', 'lien', 'identifiant', 'الرابط', 'المعرف'],
    description: "The product's name in URLs: a-z, 0-9 and hyphens.",
  },
  sku: {
    isNumeric: true,
    headings: [
      ...['barcode', 'bar code', 'ean', 'gtin', 'upc', 'code article', 'code produit', 'product code', 'item code'],
      ...['code barre', 'code barres', 'code à barres', 'référence', 'ref', 'réf produit', 'référence produit', 'reference'],
      ...['رمز المنتج', 'كود المنتج', 'المرجع', 'الباركود', 'باركود', 'الرمز الشريطي', 'رقم المنتج'],
    ],
    description: 'Article number or barcode of the product or the variant, which identifies the row. Format the column as text.',
  },
  variant: {
    isNumeric: true,
    headings: ['variant id', 'id variante', 'identifiant variante', 'معرف النوع'],
    description: 'Id of a variant, as an export has it.',
  },
  name: {
    headings: [
      ...['title', 'product', 'product name', 'nom', 'nom produit', 'produit', 'titre', 'désignation', 'libellé', 'article', 'nom article'],
      ...['الاسم', 'اسم المنتج', 'المنتج', 'العنوان', 'اسم السلعة', 'المنتوج', 'اسم المنتوج'],
    ],
    description: 'Name of the product or the variant.',
  },
  options: {
    headings: ['variant options', 'choices', 'choix', 'déclinaison', 'déclinaisons', 'variante', 'الخيارات', 'الخيار', 'النوع'],
    description: 'Choices of a variant: `Size=42|Colour=black`.',
  },
  price: {
    isNumeric: true,
    headings: [
      ...['unit price', 'selling price', 'sale price', 'prix', 'prix unitaire', 'prix vente', 'tarif', 'pu'],
      ...['السعر', 'الثمن', 'سعر البيع', 'ثمن البيع', 'سعر الوحدة'],
    ],
    description: "Price in the store's currency.",
  },
  compareAtPrice: {
    isNumeric: true,
    headings: [
      ...['compare at', 'old price', 'regular price', 'list price', 'prix barré', 'ancien prix', 'prix avant remise', 'prix normal'],
      ...['السعر القديم', 'السعر قبل التخفيض', 'السعر السابق', 'الثمن القديم'],
    ],
    description: 'Price before a reduction.',
  },
  cost: {
    isNumeric: true,
    headings: [
      ...[
        'cost price',
        'unit cost',
        'purchase price',
        'coût',
        'coût unitaire',
        'prix achat',
        "prix d'achat",
        'prix revient',
        'prix de revient',
      ],
      ...['التكلفة', 'الكلفة', 'سعر الشراء', 'ثمن الشراء', 'سعر التكلفة'],
    ],
    description: 'What one piece costs the store.',
  },
  weightKg: {
    isNumeric: true,
    headings: ['weight', 'weight kg', 'poids', 'poids kg', 'الوزن', 'وزن', 'الوزن كغ'],
    description: 'Weight in kilograms, up to four decimals.',
  },
  stock: {
    isNumeric: true,
    headings: [
      ...[
        'quantity',
        'qty',
        'inventory',
        'on hand',
        'quantité',
        'qté',
        'qte',
        'stock disponible',
        'quantité stock',
        'inventaire',
        'en stock',
      ],
      ...['المخزون', 'الكمية', 'كمية', 'العدد', 'الكمية المتوفرة', 'مخزون'],
    ],
    description: 'Quantity on hand, up to four decimals.',
  },
  status: {
    headings: ['state', 'statut', 'état', 'الحالة', 'حالة المنتج'],
    description: '`draft`, `active` or `archived`; also in French and Arabic.',
  },
  category: {
    headings: ['category name', 'collection', 'catégorie', 'categorie', 'famille', 'rayon', 'الفئة', 'التصنيف', 'القسم', 'الصنف'],
    description: 'Name or slug of a category of the store.',
  },
  tags: {
    headings: ['labels', 'keywords', 'étiquettes', 'mots clés', 'الوسوم', 'الكلمات المفتاحية'],
    description: 'Several, with `|` between them.',
  },
  vendor: {
    headings: ['brand', 'supplier', 'marque', 'fournisseur', 'fabricant', 'العلامة', 'العلامة التجارية', 'الماركة', 'المورد'],
    description: 'Brand or supplier.',
  },
  description: {
    headings: ['details', 'body', 'description produit', 'détails', 'الوصف', 'وصف المنتج', 'التفاصيل'],
    description: 'Text for customers.',
  },
  images: {
    headings: ['image', 'photos', 'photo', 'pictures', 'image url', 'image src', 'الصور', 'الصورة', 'صورة', 'صور'],
    description: 'https addresses, with `|` between them.',
  },
  seoTitle: { headings: ['meta title', 'titre seo', 'titre référencement', 'عنوان سيو'], description: 'Title for search engines.' },
  seoDescription: { headings: ['meta description', 'description seo', 'وصف سيو'], description: 'Description for search engines.' },
  imageTexts: {
    headings: ['image alt', 'alt', 'image alt text', 'textes images', 'texte alternatif', 'نص الصورة'],
    description: 'Texts of the images, in their order.',
  },
  tiers: {
    headings: [
      'volume prices',
      'tier prices',
      'quantity prices',
      'paliers',
      'prix dégressifs',
      'prix par quantité',
      'prix de gros',
      'أسعار الجملة',
    ],
    description: 'Prices by number of pieces: `3=90|10=80`.',
  },
  shippingHome: {
    isNumeric: true,
    headings: [
      'home delivery',
      'delivery price',
      'shipping',
      'livraison',
      'livraison à domicile',
      'livraison domicile',
      'frais livraison',
      'التوصيل',
      'سعر التوصيل',
      'التوصيل للمنزل',
    ],
    description: 'Price of delivery to the door.',
  },
  shippingPickup: {
    isNumeric: true,
    headings: [
      'pickup delivery',
      'pickup price',
      'livraison point relais',
      'point relais',
      'stop desk',
      'livraison bureau',
      'التوصيل للمكتب',
      'نقطة الاستلام',
    ],
    description: 'Price of delivery to a pickup point.',
  },
  shippingByState: {
    headings: [
      'delivery by state',
      'livraison par région',
      ...columnHeaders.flatMap(({ state }) => state.map((name) => `livraison par ${name}`)),
      'التوصيل حسب الولاية',
    ],
    description: 'Prices of delivery by state: `16=400/250|31=700`, to the door and, after a slash, to a pickup point.',
  },
  stockKeeping: {
    headings: ['track inventory', 'suivi stock', 'gérer stock', 'متابعة المخزون'],
    description: '`yes` or `no`: whether its stock is counted.',
  },
  showStock: { headings: ['afficher stock', 'إظهار المخزون'], description: '`yes` or `no`: whether customers see its stock.' },
  metadata: { headings: ['métadonnées', 'بيانات إضافية'], description: 'JSON for your own use.' },
} as const satisfies Readonly<Record<string, Omit<SheetColumn, 'name'>>>

/** Name of a column of a product sheet. */
export type ProductColumn = keyof typeof definitions
/** Names of the columns, in the order of an export. */
export const productColumns = Object.keys(definitions) as readonly ProductColumn[]
/** Filled cells of a row, by column. */
export type ProductCells = Partial<Record<ProductColumn, string>>

/** Columns of a product sheet for the import. A sheet needs a column that identifies a row. */
export const productForm: SheetForm = {
  subject: 'products',
  columns: productColumns.map((name) => ({ name, ...definitions[name] })),
  needs: [['sku', 'slug', 'name']],
}

/** Separator of several values in one cell. */
export const VALUE_SEPARATOR = '|'

/** Joins several values into one cell. A backslash escapes separators and backslashes inside a value. */
export const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replace(/[\\|]/g, '\\$&')).join(VALUE_SEPARATOR)

/** Splits a cell into its values. Cells contain no NUL characters, so one can mark the separators. */
export const splitValues = (cell: string): string[] => cell.replace(/\\([\\|])|\|/g, (_, kept?: string) => kept ?? '\0').split('\0')
