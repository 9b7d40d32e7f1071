import { useState } from 'preact/hooks'
import { type Product, useProduct, useProductSearch } from '../../../../api/products.ts'
import { useStore } from '../../../../session/store.tsx'
import { useDebounced } from '../../../../ui/debounced.ts'
import { Combobox } from '../../../../ui/form/combobox.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { Quantity } from '../../../../ui/form/quantity.tsx'
import { Icon } from '../../../../ui/icons.tsx'
import { Money, Name } from '../../../../ui/values.tsx'
import { t } from '../../../../words/words.ts'
import { keyOfLine, type LineValues, mergeSame } from '../values/order-values.ts'
import { nameOfVariant, type Sellable, sellablesOf } from './sellables.ts'

interface LineEditorProps {
  readonly lines: readonly LineValues[]
  readonly onChange: (lines: readonly LineValues[]) => void
  /** Problem of the lines as a whole. */
  readonly problem?: string | undefined
  /** Returns the problem of a line by its index. */
  readonly problemAt?: (index: number) => string | undefined
}

/** Edits the lines of an order: a search that adds goods, and the variant and quantity of each line. */
export function LineEditor({ lines, onChange, problem, problemAt }: LineEditorProps) {
  const replace = (at: number, changed: LineValues) => onChange(mergeSame(lines.with(at, changed)))
  return (
    <div class="stack">
      <ProductSearch problem={problem} onChoose={(added) => onChange(mergeSame([...lines, { ...added, quantity: 1 }]))} />
      {lines.length > 0 && (
        <ul class="order-lines card">
          {lines.map((line, at) => (
            <Line
              key={keyOfLine(line)}
              line={line}
              problem={problemAt?.(at)}
              onChange={(changed) => replace(at, changed)}
              onRemove={() => onChange(lines.toSpliced(at, 1))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function ProductSearch({
  problem,
  onChoose,
}: {
  readonly problem: string | undefined
  readonly onChoose: (item: Omit<LineValues, 'quantity'>) => void
}) {
  const { storeId } = useStore()
  const [text, setText] = useState('')
  const { data = [], isPlaceholderData, isPending } = useProductSearch(storeId, useDebounced(text.trim(), 150))
  return (
    <Field label={t('order.addProduct')} problem={problem}>
      <Combobox
        placeholder={t('order.searchProduct')}
        text={text}
        onText={setText}
        items={data.flatMap(sellablesOf)}
        keyOf={keyOfLine}
        show={(item) => <SellableRow item={item} />}
        isWaiting={isPending || isPlaceholderData}
        none={t('order.noProduct')}
        onChoose={({ available: _, ...item }) => {
          setText('')
          onChoose(item)
        }}
      />
    </Field>
  )
}

const SellableRow = ({ item: { name, unitPrice, available } }: { readonly item: Sellable }) => (
  <>
    <Name>{name}</Name>
    {available !== null && (
      <span class="muted small">{available > 0 ? t('order.available', { count: available }) : t('order.soldOut')}</span>
    )}
    <Money amount={unitPrice} />
  </>
)

interface LineProps {
  readonly line: LineValues
  readonly problem: string | undefined
  readonly onChange: (line: LineValues) => void
  readonly onRemove: () => void
}

function Line({ line, problem, onChange, onRemove }: LineProps) {
  const { name, unitPrice, quantity } = line
  const { data: product } = useProduct(line.productId)
  const hasVariants = product !== undefined && line.offerId === null && product.variants.length > 1
  return (
    <li>
      <div class="line-name">
        <Name>{hasVariants ? product.name : name}</Name>
        {hasVariants && <VariantSelect line={line} product={product} onChange={onChange} />}
      </div>
      <Quantity
        label={t('order.quantityOf', { name })}
        value={quantity}
        isInvalid={problem !== undefined}
        onChange={(wanted) => onChange({ ...line, quantity: wanted })}
      />
      <Money amount={unitPrice * quantity} />
      <button type="button" class="button quiet icon" aria-label={t('order.removeLine', { name })} onClick={onRemove}>
        <Icon name="close" />
      </button>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}

/** Chooses another variant of the same product. */
function VariantSelect({ line, product, onChange }: Pick<LineProps, 'line' | 'onChange'> & { readonly product: Product }) {
  return (
    <select
      class="input"
      aria-label={t('order.variantOf', { name: product.name })}
      value={line.variantId ?? ''}
      onChange={({ currentTarget }) => {
        const chosen = sellablesOf(product).find(({ variantId }) => variantId === currentTarget.value)
        if (chosen) onChange({ ...line, variantId: chosen.variantId, name: chosen.name, unitPrice: chosen.unitPrice })
      }}
    >
      {product.variants.map((variant) => (
        <option key={variant.id} value={variant.id}>
          {nameOfVariant(variant)}
        </option>
      ))}
    </select>
  )
}
