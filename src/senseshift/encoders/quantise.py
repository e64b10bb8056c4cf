"""Weights of an ONNX graph in eight bits: fast, or careful.

Fast products scale a whole text's activations at once, and three of them take the time of one in
float32. Where few activations are far larger than all others, as in some large models, the rest is
lost by that; careful ones have a scale for every block of values, and take longer than float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senseshift.encoders.hub import extra

CONTRIB = "com.microsoft"
# Products of eight by eight bits can overflow on processors without VNNI, which then give other
# vectors than newer ones: seven do not.
LARGEST = 63
# Small enough that one outlier spoils little, large enough to be fast.
BLOCK, SMALLEST_BLOCK = 128, 16
LARGEST_FILE = 1.9e9  # bytes; the format holds two gigabytes, beyond them weights lie beside it
SMALLEST = 256  # values of a table that is worth it
LEVEL = 4  # products in whole numbers, activations scaled block by block

Weights = dict[str, Any]
Replaced = tuple[list[Any], list[Any], str]  # nodes, their tensors, and the weight not needed now


def quantise(path: Path, output: Path, *, careful: bool = False) -> None:
    """Replace the float32 weights of products and of large tables in a graph.

    Embeddings become whole numbers with a scale for each row.
    """
    onnx = extra("onnx", "export")
    model = onnx.load(str(path))
    product = _in_blocks if careful else _by_column
    graph = model.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    used: dict[str, int] = {}
    for node in graph.node:
        for name in node.input:
            used[name] = used.get(name, 0) + 1
    nodes: list[Any] = []
    for node in graph.node:
        made = _product(onnx, node, weights, product) or _table(onnx, node, weights)
        if made is None:
            nodes.append(node)
            continue
        replaced, tensors, name = made
        nodes += replaced
        graph.initializer.extend(tensors)
        used[name] -= 1
    kept = [t for t in graph.initializer if used.get(t.name, 1) > 0]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(kept)
    del graph.value_info[:]  # of values that may be gone
    if not any(opset.domain == CONTRIB for opset in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(CONTRIB, 1))
    size = sum(len(tensor.raw_data) for tensor in kept)
    beside = {"save_as_external_data": True, "location": f"{output.name}.data"}
    onnx.save(model, str(output), **(beside if size > LARGEST_FILE else {}))


def _product(onnx: Any, node: Any, weights: Weights, make: Any) -> Replaced | None:
    """A product with constant weights, as the one node that does it in eight bits."""
    if node.op_type != "MatMul" or node.input[1] not in weights:
        return None
    matrix = onnx.numpy_helper.to_array(weights[node.input[1]])
    if matrix.ndim != 2 or matrix.dtype != np.float32 or matrix.shape[0] < SMALLEST_BLOCK:
        return None
    made, tensors = make(onnx, node, matrix, f"{node.output[0]}_8")
    return [made], tensors, node.input[1]


def _by_column(onnx: Any, node: Any, matrix: NDArray[Any], name: str) -> tuple[Any, list[Any]]:
    """The fast way: a scale for every column."""
    scales = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / LARGEST
    arrays = {
        "weight": np.rint(matrix / scales).astype(np.int8),
        "scale": scales.astype(np.float32),
        "zero": np.zeros(len(scales), dtype=np.int8),
    }
    tensors = [onnx.numpy_helper.from_array(a, f"{name}_{key}") for key, a in arrays.items()]
    inputs = [node.input[0], *(tensor.name for tensor in tensors)]
    made = onnx.helper.make_node(
        "DynamicQuantizeMatMul", inputs, list(node.output), name=name, domain=CONTRIB
    )
    return made, tensors


def _in_blocks(onnx: Any, node: Any, matrix: NDArray[Any], name: str) -> tuple[Any, list[Any]]:
    """The careful way: a scale for every block of a column."""
    depth, width = matrix.shape
    block = BLOCK
    while block > SMALLEST_BLOCK and block > depth:
        block //= 2
    whole, scales = in_blocks(matrix.T, block)
    tensors = [
        onnx.numpy_helper.from_array(whole, f"{name}_weight"),
        onnx.numpy_helper.from_array(scales, f"{name}_scale"),
    ]
    made = onnx.helper.make_node(
        "MatMulNBits", [node.input[0], *(tensor.name for tensor in tensors)], list(node.output),
        name=name, domain=CONTRIB, K=depth, N=width, bits=8, block_size=block,
        accuracy_level=LEVEL,
    )  # fmt: skip
    return made, tensors


def in_blocks(rows: NDArray[np.float32], block: int) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Whole numbers about 128, rows × blocks × values, and the scale of every block."""
    count = -(-rows.shape[1] // block)
    padded = np.zeros((len(rows), count * block), dtype=np.float32)
    padded[:, : rows.shape[1]] = rows
    blocks = padded.reshape(len(rows), count, block)
    scales = np.maximum(np.abs(blocks).max(axis=2), 1e-12) / 127.0
    whole = np.rint(blocks / scales[:, :, None]) + 128.0
    return whole.astype(np.uint8), scales.astype(np.float32)


def _table(onnx: Any, node: Any, weights: Weights) -> Replaced | None:
    """Rows taken from a table of embeddings, as whole numbers times the scales of their rows."""
    if node.op_type != "Gather" or node.input[0] not in weights:
        return None
    if any(attribute.name == "axis" and attribute.i != 0 for attribute in node.attribute):
        return None
    table = onnx.numpy_helper.to_array(weights[node.input[0]])
    if table.ndim != 2 or table.dtype != np.float32 or table.size < SMALLEST:
        return None
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127.0
    name, rows = f"{node.output[0]}_8", node.input[1]
    tensors = [
        onnx.numpy_helper.from_array(np.rint(table / scales).astype(np.int8), f"{name}_table"),
        onnx.numpy_helper.from_array(scales.astype(np.float32), f"{name}_scale"),
    ]
    make = onnx.helper.make_node
    made = [
        make("Gather", [tensors[0].name, rows], [f"{name}_rows"]),
        make("Cast", [f"{name}_rows"], [f"{name}_float"], to=onnx.TensorProto.FLOAT),
        make("Gather", [tensors[1].name, rows], [f"{name}_sizes"]),
        make("Mul", [f"{name}_float", f"{name}_sizes"], list(node.output)),
    ]
    return made, tensors, node.input[0]
