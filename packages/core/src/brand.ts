declare const unit: unique symbol;

/** A primitive with its unit in the type, so that units cannot be mixed. */
export type Brand<Value, Unit extends string> = Value & { readonly [unit]: Unit };
