declare const unit: unique symbol;

/** A primitive that carries its unit in the type, so that two units cannot be mixed up. */
export type Brand<Value, Unit extends string> = Value & { readonly [unit]: Unit };
