// Twelve dielectric discs of 200 nm diameter and 50 nm height with their axes along z, on a circle, 25 nm apart.
// Source: Li, Chang and Lomakin, chapter 19, figure 19.7. Lengths in nm.
SetFactory("OpenCASCADE");
DefineConstant[
  count = {12, Name "number of discs"},
  diameter = {200, Name "diameter of a disc"},
  height = {50, Name "height of a disc"},
  gap = {25, Name "smallest distance between discs"},
  h = {7.72, Name "mesh size"}
];
ring = 0.5 * (diameter + gap) / Sin(Pi / count);
For i In {0 : count - 1}
  Cylinder(i + 1) = {ring * Cos(2 * Pi * i / count), ring * Sin(2 * Pi * i / count), -height / 2, 0, 0, height, diameter / 2};
EndFor
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Physical Volume("resonators") = {1 : count};
