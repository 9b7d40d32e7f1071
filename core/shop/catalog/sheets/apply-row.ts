import { Type as T, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Tx } from '../../../data/sql.ts'
import { invalid } from '../../../http/errors/errors.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { isRounded } from '../../../lib/money/written-number.ts'
import { countStock } from '../../inventory/operations/count.ts'
import type { Store } from '../../stores/stores.model.ts'
import { namespaceOf } from '../present.ts'
import { NewProduct, ProductChange } from '../products.model.ts'
import { InitialStock, type KeptVariant, type NewVariant, type Option } from '../products.parts.model.ts'
import { lockBySkuOrSlug, type ProductRow } from '../products.queries.ts'
import { asGiven, changeProduct, createProduct, receiveFirst } from '../products.ts'
import { categoryNamed } from './category.ts'
import type { Cells } from './columns.ts'
import { productIn, quantityIn, shippingIn, variantIn } from './said-by.ts'

export interface Applied {
  readonly status: 'created' | 'updated'
  readonly productId: string
}

const checks = {
  create: TypeCompiler.Compile(NewProduct),
  change: TypeCompiler.Compile(ProductChange),
  stock: TypeCompiler.Compile(T.Object({ stock: T.Optional(InitialStock) })),
}

function assertFits(check: TypeCheck<TSchema>, body: unknown) {
  const problem = check.Errors(body).First()
  if (problem) throw invalid(problem.path, problem.message)
}

/** Throws where a spreadsheet has rounded a barcode: all that begin alike would be one product. */
function assertInFull(cells: Cells, column: 'sku' | 'slug' | 'variant') {
  const cell = cells[column]
  if (cell === undefined || !isRounded(cell)) return
  const shown = cell.slice(0, 40)
  throw invalid(`/${column}`, `"${shown}" is a number that a spreadsheet has rounded. Format the column as text, and write it in full.`)
}

/** Makes or changes what a row of a sheet says, as the API would. Throws what that throws. */
export async function applyRow(tx: Tx, store: Store, cells: Cells): Promise<Applied> {
  for (const column of ['sku', 'slug', 'variant'] as const) assertInFull(cells, column)
  const { sku = null, slug = null, variant: variantId = null } = cells
  const found = await lockBySkuOrSlug(tx, store.id, { sku, slug, variantId })
  const variant = found && variantNamed(found, variantId, sku)
  if (variantId !== null || cells.options !== undefined || variant) return applyVariant(tx, store, cells, found, variant)
  const stock = stockIn(cells)
  const shipping = shippingIn(cells, store.currencyCode)
  const said = {
    ...productIn(cells, store.currencyCode),
    // What a row does not name of delivery stays.
    ...(shipping && { shipping: { ...found?.shipping, ...shipping } }),
    ...counting(stock),
    ...(await categoryIn(tx, store.id, cells)),
  }
  if (found) {
    assertFits(checks.change, said)
    // A sku that is found names it; a slug that is said beside it is its new one.
    const { id, inventoryKey, variants } = await changeProduct(tx, store, found.id, said)
    if (stock !== undefined && variants.length > 0) throw invalid('/stock', 'Each of its variants has a stock of its own: say it there.')
    await recount(tx, store, id, inventoryKey, stock)
    return { status: 'updated', productId: id }
  }
  const body = { ...said, storeId: store.id, ...(stock !== undefined && { initialStock: stock }) }
  assertFits(checks.create, body)
  const { id } = await createProduct(tx, store, body as NewProduct)
  return { status: 'created', productId: id }
}

const variantNamed = ({ variants }: ProductRow, id: string | null, sku: string | null): KeptVariant | undefined =>
  variants.find((variant) => variant.id === id) ?? variants.find((variant) => variant.sku !== null && variant.sku === sku)

async function categoryIn(tx: Tx, storeId: string, { category }: Cells): Promise<Pick<ProductChange, 'categoryId'>> {
  if (category === undefined) return {}
  return { categoryId: await categoryNamed(tx, storeId, category) }
}

async function applyVariant(
  tx: Tx,
  store: Store,
  cells: Cells,
  product: ProductRow | undefined,
  named: KeptVariant | undefined,
): Promise<Applied> {
  if (!product) throw invalid('/slug', 'No product has this slug: its own row comes before those of its variants.')
  const said = variantIn(cells, store.currencyCode)
  const known = named ?? product.variants.find((variant) => isSaid(variant, said))
  const others = product.variants.map(asGiven)
  const variants: NewVariant[] = known
    ? others.map((variant) => (variant.id === known.id ? { ...variant, ...said, id: known.id } : variant))
    : [...others, said]
  const stock = stockIn(cells)
  const change = { variants, options: offering(product.options, said.options ?? {}), ...counting(stock) }
  assertFits(checks.change, change)
  const changed = await changeProduct(tx, store, product.id, change)
  if (known) await recount(tx, store, product.id, known.inventoryKey, stock)
  const made = known ? undefined : changed.variants.at(-1)
  if (made && stock !== undefined) await receiveFirst(tx, store, product.id, [{ key: made.inventoryKey, quantity: stock }])
  return { status: known ? 'updated' : 'created', productId: product.id }
}

function stockIn(cells: Cells): number | undefined {
  const stock = quantityIn(cells, 'stock')
  if (stock !== undefined) assertFits(checks.stock, { stock })
  return stock
}

/** What is counted is kept in stock, however its product was made: the row of one with variants counts nothing itself. */
const counting = (stock: number | undefined): Pick<ProductChange, 'stockKeeping'> => (stock === undefined ? {} : { stockKeeping: true })

/** Has as many on hand of what there was before as the row says. */
async function recount(tx: Tx, store: Store, productId: string, key: string, stock: number | undefined): Promise<void> {
  if (stock === undefined) return
  const count = { counted: decimal(stock), note: 'import', reference: productId, path: '/stock' }
  await countStock(tx, store.projectId, { namespace: namespaceOf(store), key }, count)
}

/** Whether it is the same choice; of what is no choice, whether it has the same name. */
const isSaid = ({ options, name }: KeptVariant, said: NewVariant) =>
  isSame(options, said.options ?? {}) && (said.options !== undefined || name === said.name)

const isSame = (one: Record<string, string>, other: Record<string, string>) =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([name, value]) => other[name] === value)

/** The options of a product with a variant's choices among them. */
function offering(options: readonly Option[], chosen: Record<string, string>): Option[] {
  const widened = options.map(({ name, values }) => {
    const value = chosen[name]
    return { name, values: value === undefined || values.includes(value) ? values : [...values, value] }
  })
  const more = Object.entries(chosen).filter(([name]) => !options.some((option) => option.name === name))
  return [...widened, ...more.map(([name, value]) => ({ name, values: [value] }))]
}
