import { Type as T, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Tx } from '../../../data/sql.ts'
import { invalidField } from '../../../lib/errors/domain-error.ts'
import { parsePointer } from '../../../lib/errors/json-pointer.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { describeRounded, isRoundedBySpreadsheet } from '../../../lib/money/parse-number.ts'
import { adjustToCount } from '../../inventory/operations/adjust-to-count.ts'
import type { Store } from '../../stores/stores.model.ts'
import { catalogErrors } from '../catalog.errors.ts'
import { inventoryNamespaceOf } from '../present-product.ts'
import { NewProduct, ProductChange } from '../products.model.ts'
import { InitialStock, type NewVariant, type Option, type StoredVariant } from '../products.parts.model.ts'
import { lockProductBySkuOrSlug, type ProductRow } from '../products.queries.ts'
import { changeProduct, createProduct, receiveInitialStock, toNewVariant } from '../products.ts'
import type { ProductCells } from './columns.ts'
import { findCategoryIdByText } from './find-category.ts'
import { parseProduct, parseQuantity, parseShipping, parseVariant } from './parse-row.ts'

/** Result of a row: the product that it created or updated. */
export interface AppliedRow {
  readonly status: 'created' | 'updated'
  readonly productId: string
}

const checks = {
  create: TypeCompiler.Compile(NewProduct),
  change: TypeCompiler.Compile(ProductChange),
  stock: TypeCompiler.Compile(T.Object({ stock: T.Optional(InitialStock) })),
}

function assertMatchesSchema(check: TypeCheck<TSchema>, body: unknown) {
  const problem = check.Errors(body).First()
  if (problem) throw invalidField(parsePointer(problem.path), problem.message)
}

/**
 * Throws `invalid_request` for a number that a spreadsheet has rounded, such as a barcode. Rounded barcodes with one beginning would all
 * match one product.
 */
function assertNotRounded(cells: ProductCells, column: 'sku' | 'slug' | 'variant') {
  const cell = cells[column]
  if (cell !== undefined && isRoundedBySpreadsheet(cell)) throw invalidField([column], describeRounded(cell))
}

/** Creates or updates the product or variant of a row, as the API would. Throws the errors that the API answers with. */
export async function applyProductRow(tx: Tx, store: Store, cells: ProductCells): Promise<AppliedRow> {
  for (const column of ['sku', 'slug', 'variant'] as const) assertNotRounded(cells, column)
  const { sku = null, slug = null, variant: variantId = null } = cells
  const found = await lockProductBySkuOrSlug(tx, store.projectId, { sku, slug, variantId })
  const variant = found && findVariant(found, variantId, sku)
  if (variantId !== null || cells.options !== undefined || variant) return applyVariant(tx, store, cells, found, variant)
  const stock = readStock(cells)
  const shipping = parseShipping(cells, store.currencyCode)
  const fields = {
    ...parseProduct(cells, store.currencyCode),
    // Delivery prices that the row leaves out stay.
    ...(shipping && { shipping: { ...found?.shipping, ...shipping } }),
    ...stockKeepingFor(stock),
    ...(await readCategory(tx, store.projectId, cells)),
  }
  if (found) {
    assertMatchesSchema(checks.change, fields)
    // Takes the slug beside a known sku as the product's new slug.
    const { id, inventoryKey, variants } = await changeProduct(tx, store, found.id, fields)
    if (stock !== undefined && variants.length > 0) throw catalogErrors.stockOnProductRow({ field: ['stock'] })
    await adjustStock(tx, store, id, inventoryKey, stock)
    return { status: 'updated', productId: id }
  }
  const body = { ...fields, storeId: store.id, ...(stock !== undefined && { initialStock: stock }) }
  assertMatchesSchema(checks.create, body)
  const { id } = await createProduct(tx, store, body as NewProduct)
  return { status: 'created', productId: id }
}

const findVariant = ({ variants }: ProductRow, id: string | null, sku: string | null): StoredVariant | undefined =>
  variants.find((variant) => variant.id === id) ?? variants.find((variant) => variant.sku !== null && variant.sku === sku)

async function readCategory(tx: Tx, projectId: string, { category }: ProductCells): Promise<Pick<ProductChange, 'categoryId'>> {
  if (category === undefined) return {}
  return { categoryId: await findCategoryIdByText(tx, projectId, category) }
}

async function applyVariant(
  tx: Tx,
  store: Store,
  cells: ProductCells,
  product: ProductRow | undefined,
  named: StoredVariant | undefined,
): Promise<AppliedRow> {
  if (!product) throw catalogErrors.productRowMissing({ field: ['slug'] })
  const fields = parseVariant(cells, store.currencyCode)
  const known = named ?? product.variants.find((variant) => isSameVariant(variant, fields))
  const others = product.variants.map(toNewVariant)
  const variants: NewVariant[] = known
    ? others.map((variant) => (variant.id === known.id ? { ...variant, ...fields, id: known.id } : variant))
    : [...others, fields]
  const stock = readStock(cells)
  const change = { variants, options: addChoices(product.options, fields.options ?? {}), ...stockKeepingFor(stock) }
  assertMatchesSchema(checks.change, change)
  const changed = await changeProduct(tx, store, product.id, change)
  if (known) await adjustStock(tx, store, product.id, known.inventoryKey, stock)
  const made = known ? undefined : changed.variants.at(-1)
  if (made && stock !== undefined) await receiveInitialStock(tx, store, product.id, [{ key: made.inventoryKey, quantity: stock }])
  return { status: known ? 'updated' : 'created', productId: product.id }
}

function readStock(cells: ProductCells): number | undefined {
  const stock = parseQuantity(cells, 'stock')
  if (stock !== undefined) assertMatchesSchema(checks.stock, { stock })
  return stock
}

/** Turns on stock keeping for a row that has a stock. */
const stockKeepingFor = (stock: number | undefined): Pick<ProductChange, 'stockKeeping'> =>
  stock === undefined ? {} : { stockKeeping: true }

/** Adjusts the stock on hand of an existing item to the quantity in the row. Does nothing where the row has none. */
async function adjustStock(tx: Tx, store: Store, productId: string, key: string, stock: number | undefined): Promise<void> {
  if (stock === undefined) return
  const count = { counted: decimal(stock), note: 'import', reference: productId, field: ['stock'] }
  await adjustToCount(tx, store.projectId, { namespace: inventoryNamespaceOf(store), key }, count)
}

/** Returns true where the row has the choices of this variant, or its name where the row has no choices. */
const isSameVariant = ({ options, name }: StoredVariant, fields: NewVariant) =>
  hasSameEntries(options, fields.options ?? {}) && (fields.options !== undefined || name === fields.name)

const hasSameEntries = (one: Record<string, string>, other: Record<string, string>) =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([name, value]) => other[name] === value)

/** Returns the options of a product, with the choices of a variant added where they are missing. */
function addChoices(options: readonly Option[], chosen: Record<string, string>): Option[] {
  const widened = options.map(({ name, values }) => {
    const value = chosen[name]
    return { name, values: value === undefined || values.includes(value) ? values : [...values, value] }
  })
  const more = Object.entries(chosen).filter(([name]) => !options.some((option) => option.name === name))
  return [...widened, ...more.map(([name, value]) => ({ name, values: [value] }))]
}
